//! What a test of the board comes to, found by running it on what is not known.
//!
//! The values of a run are constants, functions of what stands on one place, quantities that stay as they are during the
//! run, and truth values that are sums of products of tests of places. Where a run would branch on a truth value that
//! is not known, both branches run and their results are put together. A run gives up where it cannot tell; it tells
//! only of runs that cannot fault.

mod exprs;
mod flow;
mod values;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::ir::effects::Effects;
use crate::ir::{Const, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Type, VarId};
use crate::opt::rays::shapes::Shapes;
use crate::opt::simplify::same;
use crate::opt::value;

use super::formula::Formula;
use flow::{Frame, Next};
use values::{Changes, Env, OfContent, Places};
pub(in crate::opt) use values::{Plane, Value};

/// Steps of all runs of a game together.
const MOST_STEPS: usize = 3_000_000;

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
    /// The values of operands of the operations at work.
    operands: Vec<Value>,
    steps: usize,
    depth: usize,
}

/// A call: the function, its arguments, the environment, and what is known of places.
type Asked = (FuncId, Vec<Value>, Env, Places);

/// What a call gives: its value and the environment after it, nothing if that is not known; and its work.
type Called = (Option<(Option<Value>, Env)>, u64);

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
            operands: Vec::new(),
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
            .filter(|(_, (after, before))| after != before)
            .map(|(var, (after, _))| (var, after.clone()));
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
}
