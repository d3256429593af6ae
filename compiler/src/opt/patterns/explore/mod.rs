//! What a test of the board comes to, found by running it on what is not known.
//!
//! The values of a run are constants, functions of what stands on one place, quantities that stay as they are during the
//! run, truth values that are sums of products of tests of places, and numbers that such truths decide. Where a run would branch on a truth value that
//! is not known, both branches run and their results are put together. A run gives up where it cannot tell; it tells
//! only of runs that cannot fault.

mod among;
mod exprs;
mod flow;
mod implied;
mod sums;
mod values;

use rulec_ir::sorted::{SortedMap, SortedSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::board::contents::{Cases, Contents, Mask};
use crate::board::walks::{Product, Shapes, Spot};
use crate::hash::{IndexMap, Operation};
use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::value;
use crate::ir::{Const, EnvId, Expr, ExprKind, FuncId, Game, LocalId, PlacementId, Type, VarId};

use crate::source::Span;

use super::formula::Formula;
pub(in crate::opt) use flow::with_room;
use flow::{Frame, Next};
use values::{Changes, Env, Image, OfContent, Places};
pub(in crate::opt) use values::{Plane, Value};

/// Steps of all runs of a game together.
const MOST_STEPS: usize = 6_000_000;
/// Steps of a run that follows each way by itself.
const MOST_FOLLOWED: usize = 600_000;
/// Calls of recursive functions that one run may nest: fewer than the rules may.
const MOST_NESTED: usize = 128;

/// What can stand on a place of a board.
pub(in crate::opt) struct Board {
    /// What a content is: a piece, with the values of variables that are indexed by pieces; an empty place is not among it.
    pub(in crate::opt) contents: Vec<(u32, Vec<Const>)>,
    /// These variables.
    pub(in crate::opt) tracked: Vec<VarId>,
}

/// Runs tests of one placement.
pub(in crate::opt) struct Explorer<'a> {
    pub(in crate::opt) game: &'a Game,
    effects: &'a Effects,
    pub(in crate::opt) placement: PlacementId,
    /// The functions of contents, with the types of their values.
    pub(in crate::opt) functions: Vec<(OfContent, Type)>,
    /// What is known of each of them.
    images: Vec<Image>,
    /// What is given, as expressions without local variables but parameters of the function that is looked at.
    pub(in crate::opt) given: Vec<Expr>,
    /// The planes that are asked about; a test is the number of its plane times the number of places, and the place.
    pub(in crate::opt) planes: Vec<Plane>,
    /// The place that is asked about, if it is one.
    pub(in crate::opt) member: Option<u32>,
    /// The place with which others are compared.
    pub(in crate::opt) subject: Option<u32>,
    /// Whether the first place that is compared with another one is it; else values are told apart.
    pub(in crate::opt) compares: bool,
    /// The places that were compared last.
    compared: [u32; 2],
    /// A place on which something stands.
    pub(in crate::opt) occupied: Option<u32>,
    /// What a content is: a piece, with the values of variables that are indexed by pieces; an empty place is not among it.
    contents: Vec<(u32, Vec<Const>)>,
    /// These variables.
    tracked: Vec<VarId>,
    /// What takes the place of formulas that are like walks, if they are looked for.
    pub(in crate::opt) shapes: Option<Shapes>,
    /// The function whose answers are looked at for walks.
    shaping: Option<FuncId>,
    /// The cases that are told apart then.
    pub(in crate::opt) cases: Cases,
    /// What passes the tests of planes, by number, as far as it was asked; nothing where that depends on more than the cases.
    masks: Vec<Option<Mask>>,
    /// The values of the parameters of the function that is looked at, where they are known to be few.
    pub(in crate::opt) params: Vec<Option<Vec<Const>>>,
    /// What is read of the environment after each function, if that is known: what nobody reads need not be known.
    pub(in crate::opt) after: &'a [SortedSet<EnvId>],
    /// The function that runs.
    running: Option<FuncId>,
    /// Pairs of products that this run looked at to compute with numbers.
    pairs: usize,
    /// Units of work that are charged at most on any path, of all runs so far.
    pub(in crate::opt) work: u64,
    applied: IndexMap<Operation<Value>, Option<usize>>,
    /// What operations on things that are given came to.
    computed: IndexMap<Operation<Value>, Option<Value>>,
    /// What expressions of the state come to, by their addresses.
    still: IndexMap<usize, Option<Value>>,
    calls: IndexMap<Asked, Called>,
    steps: usize,
    most_steps: usize,
    /// Whether the ways through a call are followed one by one, where what they leave is not the same.
    pub(in crate::opt) follows: bool,
    /// Where the last run gave up first, and what it had too much of, if that is why.
    pub(in crate::opt) stopped: Option<(Span, Option<&'static str>)>,
    /// The statement that runs.
    at: Span,
    /// Whether a run asked for a variable whose value depends on the way.
    missed: bool,
    depth: usize,
    /// Branches on what is given that are nested now.
    given_branches: usize,
    /// Calls of recursive functions that are nested now.
    nested: usize,
}

/// A call: the function, its arguments, the environment, and what is known of places.
#[derive(PartialEq, Eq)]
struct Asked {
    func: FuncId,
    args: Vec<Value>,
    env: Env,
    places: Places,
}

/// The environment is left to comparing: it is shared by most calls that are the same otherwise.
impl Hash for Asked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.func.hash(state);
        self.args.hash(state);
        self.places.hash(state);
    }
}

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
        let functions = vec![(content, Type::Opt(pieces)), (standing, Type::Opt(pieces))];
        Explorer {
            game,
            effects,
            placement,
            images: functions.iter().map(|(each, _)| Image::of(each)).collect(),
            functions,
            given: Vec::new(),
            planes: Vec::new(),
            member: None,
            subject: None,
            compares: false,
            compared: [u32::MAX; 2],
            occupied: None,
            contents,
            tracked,
            shapes: None,
            shaping: None,
            cases: Cases::default(),
            masks: Vec::new(),
            params: Vec::new(),
            after: &[],
            running: None,
            pairs: 0,
            work: 0,
            applied: IndexMap::default(),
            computed: IndexMap::default(),
            still: IndexMap::default(),
            calls: IndexMap::default(),
            steps: 0,
            most_steps: MOST_STEPS,
            follows: false,
            stopped: None,
            at: Span::default(),
            missed: false,
            depth: 0,
            given_branches: 0,
            nested: 0,
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
        if self.follows {
            self.most_steps = (self.steps + MOST_FOLLOWED).min(MOST_STEPS);
            return self.run_once(func, args, (from, assigned));
        }
        let begun = self.work;
        self.missed = false;
        self.stopped = None;
        let found = self.run_once(func, args.clone(), (from, assigned));
        if found.is_some() || !self.missed {
            return found;
        }
        // Something is not known that depends on the way: this run, and those for other members, tell the ways apart.
        self.work = begun;
        self.follows = true;
        self.calls.clear();
        self.stopped = None;
        self.most_steps = (self.steps + MOST_FOLLOWED).min(MOST_STEPS);
        self.run_once(func, args, (from, assigned))
    }

    /// Gives a run up because it has too much of something.
    fn too_many(&mut self, what: &'static str) {
        self.stopped = Some((self.at, Some(what)));
    }

    fn run_once(
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
        let mut locals = flow::locals_of(function, args);
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
        (self.running, self.pairs) = (Some(func), 0);
        let (value, after) = self.block(body, frame, &Rc::new(Next::Leave))?;
        let formula = self.formula(&value?)?;
        let changed = (0..).map(EnvId::from).zip(after.0.iter().zip(env.0.iter()));
        let changed = changed
            .filter(|(_, (after, before))| after != before)
            .map(|(var, (after, _))| (var, after.clone()));
        Some((formula, changed.collect()))
    }

    /// What can stand on a place.
    pub(in crate::opt) fn board(self) -> Board {
        Board {
            contents: self.contents,
            tracked: self.tracked,
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

    /// Whether a variable is read after the function that runs.
    fn is_read(&self, var: EnvId) -> bool {
        let after = self.running.and_then(|func| self.after.get(func.index()));
        after.is_some_and(|after| after.contains(&var))
    }

    fn call(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        caller: &Frame,
    ) -> Option<(Option<Value>, Env)> {
        if self.shaping != Some(func) {
            return self.call_where(func, args, &caller.env, caller.places.clone());
        }
        // Answers that are looked at for walks depend on what was asked before only where there are none otherwise.
        let (before, missed, stopped) = (self.work, self.missed, self.stopped);
        let found = self.call_where(func, args.clone(), &caller.env, Places::default());
        if found.is_some() || caller.places == Places::default() {
            return found;
        }
        (self.work, self.missed, self.stopped) = (before, missed, stopped);
        self.call_where(func, args, &caller.env, caller.places.clone())
    }

    /// A call where this is known of places.
    fn call_where(
        &mut self,
        func: FuncId,
        args: Vec<Value>,
        env: &Env,
        places: Places,
    ) -> Option<(Option<Value>, Env)> {
        let recursive = self.effects.is_recursive(func);
        if recursive && self.nested == MOST_NESTED {
            self.too_many("too many calls are nested here");
            return None;
        }
        let key = Asked {
            func,
            args,
            env: env.clone(),
            places,
        };
        if let Some((known, work)) = self.calls.get(&key) {
            self.work += work;
            return known.clone();
        }
        let before = self.work;
        let function = self.game.function(func);
        let frame = Frame {
            locals: flow::locals_of(function, key.args.iter().cloned()),
            env: key.env.clone(),
            places: key.places.clone(),
        };
        self.nested += usize::from(recursive);
        self.work += u64::from(recursive);
        let caller = self.running.replace(func);
        let mut result = self.block(&function.body, frame, &Rc::new(Next::Leave));
        self.running = caller;
        self.nested -= usize::from(recursive);
        if self.shaping == Some(func)
            && let Some((Some(Value::Test(formula)), _)) = &result
        {
            let shaped = self.shaped(&formula.clone(), func, &key.args, None);
            result = shaped.and_then(|shaped| Some((Some(Value::Test(shaped)), result?.1)));
        }
        self.calls.insert(key, (result.clone(), self.work - before));
        result
    }

    /// Looks for walks from now on, in these cases: in what calls of a function give, if there is one.
    pub(in crate::opt) fn look_for_walks(&mut self, cases: Cases, of: Option<FuncId>) {
        let any = Contents::of(&vec![true; self.contents.len() + 1]);
        self.shapes = Some(Shapes::new(vec![any; cases.count()], self.places()));
        self.cases = cases;
        self.shaping = of;
    }

    /// What a function comes to, as a test of a set of places; the place is known or found.
    pub(in crate::opt) fn shaped(
        &mut self,
        formula: &Formula,
        func: FuncId,
        args: &[Value],
        at: Option<u32>,
    ) -> Option<Formula> {
        let given = args.iter().map(|arg| match arg {
            Value::Const(_) => Some(None),
            Value::Given(given) => Some(Some(*given)),
            _ => None,
        });
        let given = given.collect::<Option<Vec<_>>>()?;
        let products = self.products(formula)?;
        let (shape, place) = self.shapes.as_mut()?.find(products, (func, given), at)?;
        Some(self.test(Plane::Derived(shape), place))
    }

    /// A function that asks whether one of some places is in a set of places: what is asked of each of them.
    pub(in crate::opt) fn shaped_places(
        &mut self,
        formula: &Formula,
        func: FuncId,
    ) -> Option<Formula> {
        let mut by_place: SortedMap<u32, Vec<Product>> = SortedMap::new();
        for product in self.products(formula)? {
            let mut places = product.keys();
            let (Some(place), None) = (places.next(), places.next()) else {
                return None;
            };
            by_place.entry(*place).or_default().push(product);
        }
        let mut any = Formula::constant(false);
        for (place, products) in by_place {
            let asked = (func, Vec::new());
            let (shape, _) = self.shapes.as_mut()?.find(products, asked, Some(place))?;
            any = any.or(&self.test(Plane::Derived(shape), place))?;
        }
        Some(any)
    }

    /// A formula as products of sets of contents of places.
    fn products(&mut self, formula: &Formula) -> Option<Vec<Product>> {
        let (cubes, places) = (formula.holds().clone()?, self.places());
        let any = self.shapes.as_ref()?.any().clone();
        let mut products = Vec::new();
        for cube in cubes.iter() {
            let mut product = Product::new();
            let mut within: Option<Vec<bool>> = None;
            let held = cube.holds.iter().map(|test| (test, true));
            for (test, holds) in held.chain(cube.fails.iter().map(|test| (test, false))) {
                if let Plane::Given(given) = self.planes[(test / places) as usize] {
                    let passed = self.given_in_cases(given)?;
                    let known = within.get_or_insert_with(|| vec![true; passed.len()]);
                    for (known, passed) in known.iter_mut().zip(passed) {
                        *known &= passed == holds;
                    }
                    continue;
                }
                let spot = product.entry(test % places).or_insert_with(|| Spot {
                    mask: any.clone(),
                    shapes: Default::default(),
                });
                let plane = (test / places) as usize;
                if let Plane::Derived(shape) = self.planes[plane] {
                    spot.shapes.insert((shape, holds));
                    continue;
                }
                let passed = self.mask(plane)?;
                for (known, passed) in spot.mask.iter_mut().zip(passed) {
                    *known = known.met(passed, holds);
                }
            }
            if let Some(within) = within {
                // A product that asks of no place cannot be told from one that asks of another one.
                let spot = product.values_mut().next()?;
                for (known, within) in spot.mask.iter_mut().zip(within) {
                    *known = known.met(known, within);
                }
            }
            products.push(product);
        }
        Some(products)
    }

    /// Whether something given is true, in each case; nothing where that depends on more.
    pub(in crate::opt) fn given_in_cases(&self, given: usize) -> Option<Vec<bool>> {
        let values = self.cases.values(self.game, &self.given[given])?;
        let truth = |value: &Const| match value {
            Const::Bool(value) => Some(*value),
            _ => None,
        };
        values.iter().map(truth).collect()
    }

    /// What passes the test of a plane.
    pub(in crate::opt) fn mask(&mut self, plane: usize) -> Option<&Mask> {
        for next in self.masks.len()..=plane {
            let mask = self.mask_of(&self.planes[next]);
            self.masks.push(mask);
        }
        self.masks[plane].as_ref()
    }

    fn mask_of(&self, plane: &Plane) -> Option<Mask> {
        let passed = |function: usize, wanted: &Const| {
            let values = self.functions[function].0.iter();
            let passed = values.map(|value| value.as_ref().map(|value| value == wanted));
            Some(Contents::of(&passed.collect::<Option<Vec<bool>>>()?))
        };
        match plane {
            Plane::Is(function) => {
                let passed = passed(*function, &Const::Bool(true))?;
                Some(vec![passed; self.cases.count()])
            }
            Plane::EqualsGiven(function, given) => {
                let values = self.cases.values(self.game, &self.given[*given])?;
                values
                    .iter()
                    .map(|value| passed(*function, value))
                    .collect()
            }
            Plane::EqualsOf(..) | Plane::Derived(_) | Plane::Given(_) => None,
        }
    }
}
