//! What a test of the board comes to, found by running it on what is not known.
//!
//! The values of a run are constants, functions of what stands on one place, quantities that stay as they are during the
//! run, and truth values that are sums of products of tests of places. Where a run would branch on a truth value that
//! is not known, both branches run and their results are put together. A run gives up where it cannot tell; it tells
//! only of runs that cannot fault.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::ir::effects::Effects;
use crate::ir::{
    BinaryOp, Const, Count, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Stmt,
    StmtKind, Type, UnaryOp, VarId,
};
use crate::opt::simplify::same;
use crate::opt::value;

use super::formula::Formula;
use crate::opt::rays::shapes::Shapes;
use crate::opt::rays::values::constant;

/// Steps of all runs of a game together.
const MOST_STEPS: usize = 3_000_000;
/// Rounds of one loop.
const MOST_ROUNDS: i64 = 1024;
/// Statements and calls that one run may nest.
const MOST_DEPTH: usize = 1500;

/// A value for each piece, and last for an empty place; none where it would be a fault.
pub(in crate::opt) type OfContent = Vec<Option<Const>>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) enum Value {
    Const(Const),
    /// A function (by number) of what stands on a place.
    Of(u32, usize),
    /// Something (by number) that nothing in the run changes.
    Given(usize),
    Test(Formula),
}

/// What a test of a place asks: the places that pass it are a plane of the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) enum Plane {
    /// Whether a function of the content is true.
    Is(usize),
    /// Whether a function of the content is equal to something given.
    EqualsGiven(usize, usize),
    /// Whether a function of the content is equal to another one of the content of a place.
    EqualsOf(usize, usize, u32),
    /// Whether the place is in a set that follows from other planes, by its number.
    Derived(usize),
}

/// The values of the environment, shared until one of them changes.
#[derive(Clone, PartialEq, Eq)]
struct Env(Rc<Vec<Option<Value>>>);

/// Variables of the environment with other values than before; nothing where such a value is not known.
pub(in crate::opt) type Changes = Vec<(EnvId, Option<Value>)>;

/// What the planes of a board are made of.
pub(in crate::opt) struct Board {
    pub(in crate::opt) planes: Vec<Plane>,
    /// The functions of contents, with the types of their values.
    pub(in crate::opt) functions: Vec<(OfContent, Type)>,
    pub(in crate::opt) given: Vec<Expr>,
    /// What a content is: a piece, with the values of variables that are indexed by pieces; an empty place is not among it.
    pub(in crate::opt) contents: Vec<(u32, Vec<Const>)>,
    /// These variables.
    pub(in crate::opt) tracked: Vec<VarId>,
    /// The values of the parameters of the function that was looked at, where they are known to be few.
    pub(in crate::opt) params: Vec<Option<Vec<Const>>>,
}

/// Runs tests of one placement.
pub(in crate::opt) struct Explorer<'a> {
    pub(in crate::opt) game: &'a Game,
    effects: &'a Effects,
    pub(in crate::opt) placement: PlacementId,
    /// The functions of contents, with the types of their values.
    pub(in crate::opt) functions: Vec<(OfContent, Type)>,
    /// What is given, as expressions without local variables but parameters of the function that is looked at.
    pub(in crate::opt) given: Vec<Expr>,
    /// The planes that are asked about; a test is the number of its plane times the number of places, and the place.
    pub(in crate::opt) planes: Vec<Plane>,
    /// The place with which others are compared.
    pub(in crate::opt) subject: Option<u32>,
    /// A place on which something stands.
    pub(in crate::opt) occupied: Option<u32>,
    /// What a content is: a piece, with the values of variables that are indexed by pieces; an empty place is not among it.
    contents: Vec<(u32, Vec<Const>)>,
    /// These variables.
    tracked: Vec<VarId>,
    /// What takes the place of formulas that are like walks, if they are looked for.
    pub(in crate::opt) shapes: Option<Shapes>,
    /// The values of the parameters of the function that is looked at, where they are known to be few.
    pub(in crate::opt) params: Vec<Option<Vec<Const>>>,
    /// Units of work that are charged on all paths together, an upper bound for each of them.
    pub(in crate::opt) work: u64,
    applied: BTreeMap<(usize, Vec<Value>), Option<usize>>,
    calls: BTreeMap<Asked, Called>,
    steps: usize,
    depth: usize,
}

/// A call: the function, its arguments, the environment, and what is known of places.
type Asked = (FuncId, Vec<Value>, Env, Places);

/// What is known of places where something runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::opt) struct Places {
    empty: BTreeSet<u32>,
    taken: BTreeSet<u32>,
}

/// What a call gives: its value and the environment after it, nothing if that is not known; and its work.
type Called = (Option<(Option<Value>, Env)>, u64);

/// A run of one function.
#[derive(Clone)]
struct Frame {
    locals: Vec<Option<Value>>,
    env: Env,
    places: Places,
}

/// What runs after a block.
enum Next<'s> {
    Leave,
    Block(&'s [Stmt], Rc<Next<'s>>),
    Loop {
        local: LocalId,
        at: i64,
        to: i64,
        by: i64,
        body: &'s [Stmt],
        after: Rc<Next<'s>>,
    },
}

impl Env {
    fn set(&mut self, var: EnvId, value: Value) {
        Rc::make_mut(&mut self.0)[var.index()] = Some(value);
    }

    /// The values that are the same in both; what is not is not known.
    fn common(self, other: &Env) -> Env {
        if self == *other {
            return self;
        }
        let pairs = self.0.iter().zip(other.0.iter());
        let same = pairs.map(|(one, other)| one.clone().filter(|_| one == other));
        Env(Rc::new(same.collect()))
    }
}

impl Ord for Env {
    fn cmp(&self, other: &Env) -> Ordering {
        match Rc::ptr_eq(&self.0, &other.0) {
            true => Ordering::Equal,
            false => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for Env {
    fn partial_cmp(&self, other: &Env) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Explorer<'a> {
    pub(in crate::opt) fn new(
        game: &'a Game,
        effects: &'a Effects,
        placement: PlacementId,
    ) -> Explorer<'a> {
        Explorer::tracking(game, effects, placement, Vec::new())
    }

    /// As `new`, where what stands on a place is a piece with the values of some variables that are indexed by pieces.
    pub(in crate::opt) fn tracking(
        game: &'a Game,
        effects: &'a Effects,
        placement: PlacementId,
        tracked: Vec<VarId>,
    ) -> Explorer<'a> {
        let pieces = game.placement(placement).pieces;
        let mut contents: Vec<(u32, Vec<Const>)> = (0..game.domain(pieces).len() as u32)
            .map(|piece| (piece, Vec::new()))
            .collect();
        for var in &tracked {
            let values = value::values_of(game, &game.var(*var).ty);
            contents = contents
                .into_iter()
                .flat_map(|(piece, known)| {
                    let with = move |value: Const| {
                        let mut known = known.clone();
                        known.push(value);
                        (piece, known)
                    };
                    values.clone().into_iter().map(with)
                })
                .collect();
        }
        let content = contents.iter();
        let content = content.map(|(piece, _)| Some(Const::Elem(*piece)));
        let content: OfContent = content.chain([Some(Const::None)]).collect();
        // Where something stands, it does not matter what an empty place would give.
        let mut standing = content.clone();
        standing.pop();
        standing.push(standing.first().cloned().flatten());
        Explorer {
            game,
            effects,
            placement,
            functions: vec![(content, Type::Opt(pieces)), (standing, Type::Opt(pieces))],
            given: Vec::new(),
            planes: Vec::new(),
            subject: None,
            occupied: None,
            contents,
            tracked,
            shapes: None,
            params: Vec::new(),
            work: 0,
            applied: BTreeMap::new(),
            calls: BTreeMap::new(),
            steps: 0,
            depth: 0,
        }
    }

    pub(in crate::opt) fn places(&self) -> u32 {
        let places = self.game.placement(self.placement).places;
        self.game.domain(places).len() as u32
    }

    /// The value of a function, and of the environment after it where that is another one than before or not known. What stands
    /// before a statement of its body has run already, and gave these local variables their values.
    pub(in crate::opt) fn run(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        (from, assigned): (usize, &[LocalId]),
    ) -> Option<(Formula, Changes)> {
        let env: Vec<Option<Value>> = (0..self.game.env.len())
            .map(|var| {
                let var = EnvId::from(var);
                let ty = self.game.env[var.index()].ty.clone();
                let span = self.game.function(func).span;
                let read = ExprKind::Env {
                    var,
                    checked: false,
                };
                Some(Value::Given(self.give(&Expr::new(read, ty, span))))
            })
            .collect();
        let env = Env(Rc::new(env));
        let function = self.game.function(func);
        let mut locals: Vec<Option<Value>> = args.into_iter().map(Some).collect();
        locals.resize(function.locals.len(), None);
        for &local in assigned {
            let ty = &function.locals[local.index()].ty;
            if ty.is_scalar() {
                let read = Expr::local(local, ty.clone(), function.span);
                locals[local.index()] = Some(Value::Given(self.give(&read)));
            }
        }
        // What was found of other runs holds whatever the place on which something stands.
        if self.occupied.is_some() {
            self.calls.clear();
        }
        let frame = Frame {
            locals,
            env: env.clone(),
            places: Places::default(),
        };
        let body = function.body.get(from..)?;
        let (value, after) = self.block(body, frame, &Rc::new(Next::Leave))?;
        let formula = self.formula(&value?)?;
        let changed = (0..).map(EnvId::from).zip(after.0.iter().zip(env.0.iter()));
        let changed = changed
            .filter_map(|(var, (after, before))| (after != before).then(|| (var, after.clone())));
        Some((formula, changed.collect()))
    }

    /// What was found out about the board.
    pub(in crate::opt) fn board(self) -> Board {
        Board {
            planes: self.planes,
            functions: self.functions,
            given: self.given,
            contents: self.contents,
            tracked: self.tracked,
            params: self.params,
        }
    }

    /// What a function comes to as a test of a set of places, where it is like others.
    pub(in crate::opt) fn shaped_formula(
        &mut self,
        formula: Formula,
        func: FuncId,
        args: Vec<Value>,
    ) -> Formula {
        match self.shaped(Value::Test(formula.clone()), func, &args) {
            Value::Test(shaped) => shaped,
            _ => formula,
        }
    }

    /// The number of something given.
    pub(in crate::opt) fn give(&mut self, expr: &Expr) -> usize {
        let known = self.given.iter().position(|other| same(other, expr));
        known.unwrap_or_else(|| {
            self.given.push(expr.clone());
            self.given.len() - 1
        })
    }

    fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        caller: &Frame,
    ) -> Option<(Option<Value>, Env)> {
        if self.effects.is_recursive(func) {
            return None;
        }
        let key = (func, args, caller.env.clone(), caller.places.clone());
        if let Some((known, work)) = self.calls.get(&key) {
            self.work += work;
            return known.clone();
        }
        let before = self.work;
        let function = self.game.function(func);
        let mut locals: Vec<Option<Value>> = key.1.iter().cloned().map(Some).collect();
        locals.resize(function.locals.len(), None);
        let frame = Frame {
            locals,
            env: key.2.clone(),
            places: key.3.clone(),
        };
        let result = self.block(&function.body, frame, &Rc::new(Next::Leave));
        let result =
            result.map(|(value, env)| (value.map(|value| self.shaped(value, func, &key.1)), env));
        self.calls.insert(key, (result.clone(), self.work - before));
        result
    }

    /// A truth value that a call gives, as a test of a set of places where it is like others.
    fn shaped(&mut self, value: Value, func: FuncId, args: &[Value]) -> Value {
        let places = self.places();
        let (Some(shapes), Value::Test(formula)) = (&mut self.shapes, &value) else {
            return value;
        };
        let given = args.iter().map(|arg| match arg {
            Value::Const(_) => Some(None),
            Value::Given(given) => Some(Some(*given)),
            _ => None,
        });
        let given: Option<Vec<_>> = given.collect();
        let derived = |plane: u32| match self.planes.get(plane as usize) {
            Some(Plane::Derived(shape)) => Some(*shape),
            _ => None,
        };
        let found = given.and_then(|given| shapes.find(formula, places, (func, given), &derived));
        match found {
            Some((shape, place)) => Value::Test(self.test(Plane::Derived(shape), place)),
            None => value,
        }
    }

    fn block<'s>(
        &mut self,
        block: &'s [Stmt],
        frame: Frame,
        next: &Rc<Next<'s>>,
    ) -> Option<(Option<Value>, Env)> {
        self.depth += 1;
        let result = match self.depth > MOST_DEPTH {
            true => None,
            false => self.block_inside(block, frame, next),
        };
        self.depth -= 1;
        result
    }

    fn block_inside<'s>(
        &mut self,
        mut block: &'s [Stmt],
        mut frame: Frame,
        next: &Rc<Next<'s>>,
    ) -> Option<(Option<Value>, Env)> {
        let mut next = next.clone();
        loop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            let Some((stmt, rest)) = block.split_first() else {
                match &*next.clone() {
                    Next::Leave => return Some((None, frame.env)),
                    Next::Block(rest, after) => (block, next) = (rest, after.clone()),
                    again => (block, next) = again.round(&mut frame)?,
                }
                continue;
            };
            block = rest;
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    frame.locals[local.index()] = Some(self.expr(value, &frame)?);
                }
                StmtKind::SetEnv(var, value) => {
                    let value = self.expr(value, &frame)?;
                    frame.env.set(*var, value);
                }
                StmtKind::Call { func, args, into } => {
                    let args = args.iter().map(|arg| self.expr(arg, &frame));
                    let args = args.collect::<Option<Vec<_>>>()?;
                    let (value, env) = self.call(*func, args, &frame)?;
                    frame.env = env;
                    if let Some(into) = into {
                        frame.locals[into.index()] = Some(value?);
                    }
                }
                StmtKind::Return(value) => {
                    let value = match value {
                        Some(value) => Some(self.expr(value, &frame)?),
                        None => None,
                    };
                    return Some((value, frame.env));
                }
                StmtKind::If(cond, yes, no) => {
                    let cond = self.expr(cond, &frame)?;
                    if let Value::Const(Const::Bool(cond)) = cond {
                        next = Rc::new(Next::Block(block, next));
                        block = if cond { yes } else { no };
                        continue;
                    }
                    let held = self.known_by(&cond, true, &frame.places);
                    let failed = self.known_by(&cond, false, &frame.places);
                    let cond = self.formula(&cond)?;
                    if is_straight(yes) && is_straight(no) {
                        let yes = self.straight(yes, frame.clone())?;
                        let no = self.straight(no, frame)?;
                        frame = self.joined(&cond, yes, no);
                        continue;
                    }
                    let after = Rc::new(Next::Block(block, next));
                    let mut other = frame.clone();
                    frame.places = held;
                    other.places = failed;
                    let yes = self.block(yes, frame, &after)?;
                    let no = self.block(no, other, &after)?;
                    let value = match (yes.0, no.0) {
                        (None, None) => None,
                        (Some(yes), Some(no)) => Some(self.either(&cond, &yes, &no)?),
                        _ => return None,
                    };
                    // What is not the same in both is not known.
                    return Some((value, yes.1.common(&no.1)));
                }
                StmtKind::For {
                    local,
                    from,
                    to,
                    count,
                    body,
                    charged,
                } => {
                    let (from, to) = (self.expr(from, &frame)?, self.expr(to, &frame)?);
                    let (Value::Const(Const::Int(from)), Value::Const(Const::Int(to))) = (from, to)
                    else {
                        return None;
                    };
                    let by = match count {
                        Count::Up => 1,
                        Count::Down => -1,
                        Count::Toward => {
                            if to < from {
                                -1
                            } else {
                                1
                            }
                        }
                    };
                    if (to - from).checked_abs()? > MOST_ROUNDS {
                        return None;
                    }
                    if *charged {
                        self.work += (to - from).unsigned_abs() + 1;
                    }
                    next = Rc::new(Next::Loop {
                        local: *local,
                        at: from,
                        to,
                        by,
                        body,
                        after: Rc::new(Next::Block(block, next)),
                    });
                    block = &[];
                }
                StmtKind::Charge => self.work += 1,
                StmtKind::Break => (block, next) = next.left()?,
                StmtKind::Continue => {
                    (block, next) = (&[], next.innermost()?);
                }
                _ => return None,
            }
        }
    }

    /// The frame after statements that only assign.
    fn straight(&mut self, block: &[Stmt], mut frame: Frame) -> Option<Frame> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    frame.locals[local.index()] = Some(self.expr(value, &frame)?);
                }
                StmtKind::SetEnv(var, value) => {
                    let value = self.expr(value, &frame)?;
                    frame.env.set(*var, value);
                }
                StmtKind::Call { func, args, into } => {
                    let args = args.iter().map(|arg| self.expr(arg, &frame));
                    let args = args.collect::<Option<Vec<_>>>()?;
                    let (value, env) = self.call(*func, args, &frame)?;
                    frame.env = env;
                    if let Some(into) = into {
                        frame.locals[into.index()] = Some(value?);
                    }
                }
                _ => return None,
            }
        }
        Some(frame)
    }

    /// What two branches leave; what is not known to be one or the other is not known at all.
    fn joined(&mut self, cond: &Formula, yes: Frame, no: Frame) -> Frame {
        let mut join = |yes: &[Option<Value>], no: &[Option<Value>]| {
            let pairs = yes.iter().zip(no);
            let one = pairs.map(|(yes, no)| self.either(cond, yes.as_ref()?, no.as_ref()?));
            one.collect()
        };
        let locals = join(&yes.locals, &no.locals);
        let env = match yes.env == no.env {
            true => yes.env,
            false => Env(Rc::new(join(&yes.env.0, &no.env.0))),
        };
        Frame {
            locals,
            env,
            places: yes.places,
        }
    }

    /// One of two results.
    fn either(&mut self, cond: &Formula, yes: &Value, no: &Value) -> Option<Value> {
        if yes == no {
            return Some(yes.clone());
        }
        let (yes, no) = (self.formula(yes)?, self.formula(no)?);
        Formula::select(cond, &yes, &no).map(truth)
    }

    /// A truth value as a sum of products of tests.
    fn formula(&mut self, value: &Value) -> Option<Formula> {
        match value {
            Value::Const(Const::Bool(value)) => Some(Formula::constant(*value)),
            Value::Test(formula) => Some(formula.clone()),
            Value::Of(place, function) => {
                let all = self.functions[*function].0.iter();
                let all: Option<Vec<bool>> = all
                    .map(|value| match value {
                        Some(Const::Bool(value)) => Some(*value),
                        _ => None,
                    })
                    .collect();
                let all = all?;
                match (all.contains(&true), all.contains(&false)) {
                    (true, false) => Some(Formula::constant(true)),
                    (false, _) => Some(Formula::constant(false)),
                    _ => Some(self.test(Plane::Is(*function), *place)),
                }
            }
            _ => None,
        }
    }

    fn test(&mut self, plane: Plane, place: u32) -> Formula {
        // Planes of the place that was last looked at are asked about again and again.
        let known = self.planes.iter().rposition(|other| *other == plane);
        let number = known.unwrap_or_else(|| {
            self.planes.push(plane);
            self.planes.len() - 1
        });
        Formula::test(number as u32 * self.places() + place)
    }

    fn expr(&mut self, expr: &Expr, frame: &Frame) -> Option<Value> {
        self.steps += 1;
        match &expr.kind {
            ExprKind::Const(value) => Some(Value::Const(value.clone())),
            ExprKind::Local(local) => frame.locals[local.index()].clone(),
            ExprKind::Env { var, checked } => match frame.env.0[var.index()].clone()? {
                // Whether it has a value is not known.
                Value::Given(given) if *checked && self.is_read_of(given, *var) => None,
                value => Some(value),
            },
            ExprKind::Content(placement, at) => {
                let Value::Const(Const::Elem(place)) = self.expr(at, frame)? else {
                    return None;
                };
                if frame.places.empty.contains(&place) && *placement == self.placement {
                    return Some(Value::Const(Const::None));
                }
                let taken = self.occupied == Some(place) || frame.places.taken.contains(&place);
                let function = usize::from(taken);
                (*placement == self.placement).then_some(Value::Of(place, function))
            }
            ExprKind::Call(func, args) => {
                let args = args.iter().map(|arg| self.expr(arg, frame));
                let args = args.collect::<Option<Vec<_>>>()?;
                let (value, env) = self.call(*func, args, frame)?;
                (env == frame.env).then_some(value?)
            }
            ExprKind::If(cond, yes, no) => {
                let cond = self.expr(cond, frame)?;
                self.choice(expr, cond, Some(yes), Some(no), frame)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let a = self.expr(a, frame)?;
                self.choice(expr, a, Some(b), None, frame)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let a = self.expr(a, frame)?;
                self.choice(expr, a, None, Some(b), frame)
            }
            ExprKind::Var(var, index) => match self.of_piece(expr, *var, index, frame) {
                Some(value) => Some(value),
                None => self.still(expr),
            },
            _ => self.operation(expr, frame),
        }
    }

    /// The value of a variable for the piece on a place.
    fn of_piece(
        &mut self,
        expr: &Expr,
        var: VarId,
        index: &[Expr],
        frame: &Frame,
    ) -> Option<Value> {
        let at = self.tracked.iter().position(|other| *other == var)?;
        let [index] = index else { return None };
        let index = self.expr(index, frame)?;
        let Value::Of(place, function) = index else {
            return None;
        };
        let key = (std::ptr::from_ref(expr) as usize, vec![index]);
        let each = |this: &mut Self| {
            let values = this.functions[function].0.iter().zip(&this.contents);
            let value = |(piece, (own, known)): (&Option<Const>, &(u32, Vec<Const>))| {
                (*piece == Some(Const::Elem(*own))).then(|| known.get(at).cloned())?
            };
            Some(values.map(value).chain([None]).collect())
        };
        Some(Value::Of(place, self.made(key, &expr.ty, each)?))
    }

    /// What is known of places where a test gives this.
    fn known_by(&self, cond: &Value, given: bool, known: &Places) -> Places {
        let mut known = known.clone();
        let Value::Of(place, function) = cond else {
            return known;
        };
        let values = &self.functions[*function].0;
        let gives = |value: &Option<Const>| *value == Some(Const::Bool(given));
        let Some((empty, standing)) = values.split_last() else {
            return known;
        };
        if gives(empty) && !standing.iter().any(gives) {
            known.empty.insert(*place);
        }
        // Lines are compared with sets that know of empty places by themselves.
        if self.shapes.is_some() && !gives(empty) {
            known.taken.insert(*place);
        }
        known
    }

    fn is_read_of(&self, given: usize, var: EnvId) -> bool {
        matches!(self.given[given].kind, ExprKind::Env { var: other, .. } if other == var)
    }

    /// An expression of the state apart from the placement: nothing changes it.
    fn still(&mut self, expr: &Expr) -> Option<Value> {
        let effect = self.effects.expr(self.game, expr);
        let mut own = false;
        expr.walk(&mut |expr| own |= matches!(expr.kind, ExprKind::Local(_)));
        let still = !own
            && !effect.may_fault
            && !effect.works
            && effect.calls.is_empty()
            && effect.reads.env.is_empty()
            && effect.reads.placements.is_empty()
            && expr.ty.is_scalar();
        still.then(|| Value::Given(self.give(expr)))
    }

    /// The value of a choice; an absent branch is the constant that `and` and `or` give there.
    fn choice(
        &mut self,
        expr: &Expr,
        cond: Value,
        yes: Option<&Expr>,
        no: Option<&Expr>,
        frame: &Frame,
    ) -> Option<Value> {
        let branch = |this: &mut Self, branch: Option<&Expr>, value: bool| match branch {
            Some(expr) => {
                let places = this.known_by(&cond, value, &frame.places);
                match places == frame.places {
                    true => this.expr(expr, frame),
                    false => {
                        let mut inner = frame.clone();
                        inner.places = places;
                        this.expr(expr, &inner)
                    }
                }
            }
            None => Some(Value::Const(Const::Bool(value))),
        };
        if let Value::Const(Const::Bool(cond)) = cond {
            return match cond {
                true => branch(self, yes, true),
                false => branch(self, no, false),
            };
        }
        let (yes, no) = (branch(self, yes, true)?, branch(self, no, false)?);
        if let Value::Of(place, cond_of) = cond
            && let (Some(a), Some(b)) = (self.on(place, &yes), self.on(place, &no))
        {
            let key = (std::ptr::from_ref(expr) as usize, vec![cond, yes, no]);
            let pick = |this: &mut Self| {
                let conds = this.functions[cond_of].0.iter();
                let values = conds.enumerate().map(|(at, cond)| match cond {
                    Some(Const::Bool(true)) => a.at(this, at),
                    Some(Const::Bool(false)) => b.at(this, at),
                    _ => None,
                });
                Some(values.collect())
            };
            return Some(Value::Of(place, self.made(key, &expr.ty, pick)?));
        }
        let cond = self.formula(&cond)?;
        self.either(&cond, &yes, &no)
    }

    /// A value as a function of the content of a place.
    fn on(&self, place: u32, value: &Value) -> Option<On> {
        match value {
            Value::Const(value) => Some(On::Const(value.clone())),
            Value::Of(other, function) if *other == place => Some(On::Function(*function)),
            _ => None,
        }
    }

    /// The number of a function of contents, made once for a node and its operands.
    fn made(
        &mut self,
        key: (usize, Vec<Value>),
        ty: &Type,
        make: impl FnOnce(&mut Self) -> Option<OfContent>,
    ) -> Option<usize> {
        // The place makes no difference.
        let key = (
            key.0,
            key.1
                .into_iter()
                .map(|value| match value {
                    Value::Of(_, function) => Value::Of(0, function),
                    value => value,
                })
                .collect(),
        );
        if let Some(known) = self.applied.get(&key) {
            return *known;
        }
        let made = make(self).map(|values| {
            let made = (values, ty.clone());
            let known = self.functions.iter().position(|other| *other == made);
            known.unwrap_or_else(|| {
                self.functions.push(made);
                self.functions.len() - 1
            })
        });
        self.applied.insert(key, made);
        made
    }

    /// An operation whose operands are all evaluated.
    fn operation(&mut self, expr: &Expr, frame: &Frame) -> Option<Value> {
        let mut operands = Vec::new();
        let mut all = true;
        expr.children(&mut |child| {
            if all {
                match self.expr(child, frame) {
                    Some(value) => operands.push(value),
                    None => all = false,
                }
            }
        });
        if !all {
            return self.still(expr);
        }
        if let Some(value) = of_constants(self.game, expr, &operands) {
            return value.map(Value::Const);
        }
        if let Some(value) = self.comparison(expr, &operands) {
            return Some(value);
        }
        let mut place = operands.iter().filter_map(|value| match value {
            Value::Of(place, _) => Some(*place),
            _ => None,
        });
        if let Some(place) = place.next()
            && let Some(on) = operands
                .iter()
                .map(|value| self.on(place, value))
                .collect::<Option<Vec<On>>>()
        {
            let key = (std::ptr::from_ref(expr) as usize, operands);
            let each = |this: &mut Self| {
                let count = this.functions[0].0.len();
                let value = |at: usize| {
                    let operands: Option<Vec<Const>> =
                        on.iter().map(|on| on.at(this, at)).collect();
                    let operands = operands?;
                    value::apply(this.game, expr, &operands.iter().collect::<Vec<_>>())
                };
                Some((0..count).map(value).collect())
            };
            return Some(Value::Of(place, self.made(key, &expr.ty, each)?));
        }
        if let (ExprKind::Unary(UnaryOp::Not, _), [value]) = (&expr.kind, &operands[..]) {
            return Some(truth(self.formula(value)?.not()));
        }
        // What is computed from things that are given is given.
        let given = |value: &Value| matches!(value, Value::Const(_) | Value::Given(_));
        match operands.iter().all(given) {
            true => self.computed(expr, &operands),
            false => None,
        }
    }

    /// An operation on things that are given.
    fn computed(&mut self, expr: &Expr, operands: &[Value]) -> Option<Value> {
        let mut whole = expr.clone();
        let mut operands = operands.iter();
        whole.children_mut(&mut |child| {
            if let Some(operand) = operands.next() {
                *child = self.as_expr(operand, child);
            }
        });
        let effect = self.effects.expr(self.game, &whole);
        let total = !effect.may_fault && !effect.works && effect.calls.is_empty();
        if !(total && whole.ty.is_scalar()) {
            return None;
        }
        if let Some(value) = constant(self.game, &whole, &|local| self.values_of(local)) {
            return Some(Value::Const(value));
        }
        Some(Value::Given(self.give(&whole)))
    }

    /// The values of a parameter of the function that is looked at, if they are known to be few.
    fn values_of(&self, param: LocalId) -> Option<Vec<Const>> {
        self.params.get(param.index()).cloned().flatten()
    }

    /// A value as an expression of the type of another one.
    pub(in crate::opt) fn as_expr(&self, value: &Value, like: &Expr) -> Expr {
        match value {
            Value::Const(value) => Expr::constant(value.clone(), like.ty.clone(), like.span),
            Value::Given(given) => self.given[*given].clone().at(like.span),
            _ => like.clone(),
        }
    }

    fn is_total(&self, function: usize) -> bool {
        self.functions[function].0.iter().all(Option::is_some)
    }

    /// Whether something that stands on a place is equal to something given, or to what stands on another place.
    fn comparison(&mut self, expr: &Expr, operands: &[Value]) -> Option<Value> {
        let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), ..) = &expr.kind else {
            return None;
        };
        let [a, b] = operands else { return None };
        let formula = match (a, b) {
            (Value::Of(place, f), Value::Of(other, g)) if place != other => {
                if !(self.is_total(*f) && self.is_total(*g)) {
                    return None;
                }
                match *self.subject.get_or_insert(*other) == *place {
                    true => self.test(Plane::EqualsOf(*g, *f, *place), *other),
                    false => self.test(Plane::EqualsOf(*f, *g, *other), *place),
                }
            }
            (Value::Of(place, f), Value::Given(given))
            | (Value::Given(given), Value::Of(place, f)) => {
                if !self.is_total(*f) {
                    return None;
                }
                self.test(Plane::EqualsGiven(*f, *given), *place)
            }
            _ => return None,
        };
        match op {
            BinaryOp::Eq => Some(Value::Test(formula)),
            _ => Some(Value::Test(formula.not())),
        }
    }
}

/// A function of the content of a place that is known.
enum On {
    Const(Const),
    Function(usize),
}

impl On {
    fn at(&self, explorer: &Explorer, at: usize) -> Option<Const> {
        match self {
            On::Const(value) => Some(value.clone()),
            On::Function(function) => explorer.functions[*function].0[at].clone(),
        }
    }
}

type Following<'s> = (&'s [Stmt], Rc<Next<'s>>);

impl<'s> Next<'s> {
    /// The next round of a loop, or what follows it.
    fn round(&self, frame: &mut Frame) -> Option<Following<'s>> {
        let Next::Loop {
            local,
            at,
            to,
            by,
            body,
            after,
        } = self
        else {
            return None;
        };
        if (to - at) * by < 0 {
            return Some((&[], after.clone()));
        }
        frame.locals[local.index()] = Some(Value::Const(Const::Int(*at)));
        let again = Next::Loop {
            local: *local,
            at: at + by,
            to: *to,
            by: *by,
            body,
            after: after.clone(),
        };
        Some((body, Rc::new(again)))
    }

    /// What follows the innermost loop.
    fn left(&self) -> Option<Following<'s>> {
        match self {
            Next::Leave => None,
            Next::Block(_, after) => after.left(),
            Next::Loop { after, .. } => Some((&[], after.clone())),
        }
    }

    /// The innermost loop.
    fn innermost(self: &Rc<Self>) -> Option<Rc<Next<'s>>> {
        match &**self {
            Next::Leave => None,
            Next::Block(_, after) => after.innermost(),
            Next::Loop { .. } => Some(self.clone()),
        }
    }
}

/// Whether a block only assigns.
fn is_straight(block: &[Stmt]) -> bool {
    let assigns = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Let(..) | StmtKind::SetEnv(..) | StmtKind::Call { .. }
        )
    };
    block.iter().all(assigns)
}

/// The value of an operation whose operands are all constants, if it has one; nothing if they are not.
#[allow(
    clippy::option_option,
    reason = "whether it is of constants, and what it gives"
)]
fn of_constants(game: &Game, expr: &Expr, operands: &[Value]) -> Option<Option<Const>> {
    Some(match operands {
        [Value::Const(one)] => value::apply(game, expr, &[one]),
        [Value::Const(one), Value::Const(other)] => value::apply(game, expr, &[one, other]),
        _ => {
            let constants = operands.iter().map(|value| match value {
                Value::Const(value) => Some(value),
                _ => None,
            });
            value::apply(game, expr, &constants.collect::<Option<Vec<_>>>()?)
        }
    })
}

fn truth(formula: Formula) -> Value {
    match formula.as_constant() {
        Some(value) => Value::Const(Const::Bool(value)),
        None => Value::Test(formula),
    }
}
