//! What a game means, as its rules are written: nothing is run, and what has no order is a set.
//!
//! A function is a term of what stands in it, so two functions that say the same are one, whatever they are called. What rules ask of a
//! variable with few values is told value by value, so that it does not matter which of them they ask for first. That is much less than
//! what running the rules finds, but takes no longer than to read them: it serves where they are too much to run.

mod exprs;
mod loops;
mod runs;
mod stmts;

use rulec_ir::sorted::{SortedMap, SortedSet};

use crate::ir::effects::{Effects, constants};
use crate::ir::observe::Plane;
use crate::ir::visit::{walk_block, walk_exprs};
use crate::ir::{
    Arm, Block, Choose, Const, Distribution, DomainId, Expr, ExprKind, Family, FuncId, Game,
    IdentityId, IdentityTerm, Local, LocalId, ParamSource, Point, Type, VarId,
};
use crate::opt::locals::{bound_in, each_assigned};
use crate::source::Span;

use super::terms::{Bundle, Failed, Op, Term, Terms};

/// Functions that are read, one again for each place where it is part of others that call each other.
const MOST_FUNCTIONS: usize = 2_000;
/// Numbers of variables that expressions bind.
const BOUND: usize = 100_000;

/// The parts of a game, as they are written.
pub(super) struct Parts {
    pub(super) families: Vec<Term>,
    pub(super) rest: Vec<Term>,
    pub(super) seen: Vec<Option<Term>>,
    pub(super) start: Term,
    /// Where the rules say what terms stand for.
    pub(super) places: SortedMap<Term, Span>,
}

/// Reads a game that is a machine, and what planes of positions ask.
///
/// # Errors
/// What stands there that is not understood without running it.
pub(super) fn read<'g>(
    terms: &mut Terms<'g>,
    game: &'g Game,
    planes: &[Plane],
) -> Result<Parts, Failed> {
    let machine = game.machine.as_ref().ok_or("no machine")?;
    let mut written = Written::new(terms, game);
    let mut arms: Vec<Vec<Term>> = vec![Vec::new(); game.families.len()];
    let mut rest = Vec::new();
    for (index, point) in machine.points.iter().enumerate() {
        written.locals_of(&machine.locals);
        let own = written.point(index, point, &machine.locals, &mut arms);
        rest.push(own);
    }
    let pairs = game.families.iter().zip(arms);
    let families = pairs.map(|(family, arms)| written.family(family, arms));
    let families = families.collect();
    for trail in &game.trails {
        let own = written.identity(trail.identity);
        rest.push(own);
    }
    written.locals_of(&machine.locals);
    let start = written.body(&machine.start);
    let seen = planes.iter().map(|plane| written.plane(plane)).collect();
    let places = written.said_at;
    match terms.failed {
        Some(why) => Err(why),
        None => Ok(Parts {
            families,
            rest,
            seen,
            start,
            places,
        }),
    }
}

/// Reads rules.
struct Written<'t, 'g> {
    terms: &'t mut Terms<'g>,
    game: &'g Game,
    effects: Effects,
    constants: SortedSet<VarId>,
    functions: SortedMap<FuncId, Term>,
    /// The functions around this place, and the outermost of them that is called again.
    around: Vec<FuncId>,
    again: usize,
    /// Functions read so far.
    read: usize,
    /// The variables of the function at hand.
    types: &'g [Local],
    /// What its variables are called here: by the order in which they come.
    locals: SortedMap<LocalId, Term>,
    /// How often each stands in it.
    places: SortedMap<LocalId, usize>,
    /// How many expressions around bind a variable.
    depth: usize,
    /// Variables of the position whose values are known here.
    known: SortedMap<VarId, u32>,
    /// Variables of the position that name a member here.
    present: SortedSet<VarId>,
    /// Where the rules say what terms stand for.
    said_at: SortedMap<Term, Span>,
}

impl<'t, 'g> Written<'t, 'g> {
    fn new(terms: &'t mut Terms<'g>, game: &'g Game) -> Self {
        Written {
            terms,
            game,
            effects: Effects::of(game),
            constants: constants(game).vars,
            functions: SortedMap::new(),
            around: Vec::new(),
            again: usize::MAX,
            read: 0,
            types: &[],
            locals: SortedMap::new(),
            places: SortedMap::new(),
            depth: 0,
            known: SortedMap::new(),
            present: SortedSet::new(),
            said_at: SortedMap::new(),
        }
    }

    /// Begins anew, with variables of which none has a name.
    fn locals_of(&mut self, types: &'g [Local]) {
        self.types = types;
        self.locals.clear();
        self.places.clear();
        self.known.clear();
        self.present.clear();
    }

    fn parts(&mut self, name: &'static str, parts: Vec<Term>) -> Term {
        self.terms.bundle(Bundle::Parts(name), parts)
    }

    fn set(&mut self, name: &'static str, parts: Vec<Term>) -> Term {
        self.terms.bundle(Bundle::Set(name), parts)
    }

    fn nothing(&mut self) -> Term {
        self.terms.bundle(Bundle::Nothing, Vec::new())
    }

    fn number(&mut self, number: impl TryInto<i64>) -> Term {
        let number = number.try_into().unwrap_or(i64::MAX);
        self.terms.constant(Const::Int(number), Type::INT)
    }

    fn refuse(&mut self, why: Failed) -> Term {
        self.terms.fail(why);
        self.nothing()
    }

    /// A type, with the ranges of its numbers.
    fn ty(&mut self, ty: &Type) -> Term {
        match ty {
            Type::Int { lo, hi } => {
                let ends = vec![self.number(*lo), self.number(*hi)];
                self.parts("range", ends)
            }
            other => self.terms.leaf(Op::Bound(BOUND * 2, None), other.clone()),
        }
    }

    /// The name of a variable here; a new one if it has none.
    fn local(&mut self, local: LocalId) -> Term {
        if let Some(known) = self.locals.get(&local) {
            return *known;
        }
        let ty = self.types.get(local.index()).map(|local| local.ty.clone());
        let ty = ty.unwrap_or(Type::Bool);
        let number = self.locals.len();
        let range = self.ty(&ty);
        let leaf = self.terms.leaf(Op::Bound(number, None), ty);
        let own = self.parts("local", vec![leaf, range]);
        self.locals.insert(local, own);
        own
    }

    /// How often variables stand in a body.
    fn count(body: &Block) -> SortedMap<LocalId, usize> {
        let mut places = SortedMap::new();
        let mut add = |local: LocalId| *places.entry(local).or_default() += 1;
        walk_block(body, &mut |stmt| each_assigned(stmt, &mut add));
        walk_exprs(body, &mut |expr| {
            if let ExprKind::Local(local) = &expr.kind {
                add(*local);
            }
            if let Some(local) = bound_in(expr) {
                add(local);
            }
        });
        places
    }

    /// A body with its own variables.
    fn body(&mut self, body: &'g Block) -> Term {
        self.places = Written::count(body);
        self.block(body)
    }

    /// A function as what stands in it.
    fn function(&mut self, id: FuncId) -> Term {
        if let Some(known) = self.functions.get(&id) {
            return *known;
        }
        if let Some(at) = self.around.iter().position(|own| *own == id) {
            // By how far outside it begins, so that functions that call themselves alike are one.
            self.again = self.again.min(at);
            let out = self.number(self.around.len() - at);
            return self.parts("again", vec![out]);
        }
        self.read += 1;
        if self.read > MOST_FUNCTIONS {
            return self.refuse("too many functions");
        }
        let before = std::mem::replace(&mut self.again, usize::MAX);
        self.around.push(id);
        let own = self.function_anew(id);
        self.around.pop();
        // What calls a function around it says is known there alone.
        if self.again >= self.around.len() {
            self.functions.insert(id, own);
            self.again = usize::MAX;
        }
        self.again = self.again.min(before);
        own
    }

    fn function_anew(&mut self, id: FuncId) -> Term {
        let function = self.game.function(id);
        let around = (
            std::mem::replace(&mut self.types, &function.locals),
            std::mem::take(&mut self.locals),
            std::mem::take(&mut self.places),
            std::mem::take(&mut self.known),
            std::mem::take(&mut self.present),
            std::mem::take(&mut self.depth),
        );
        let mut parts: Vec<Term> = (0..function.params)
            .map(|param| self.local(LocalId::from(param)))
            .collect();
        parts.push(match &function.ret {
            Some(ty) => self.ty(ty),
            None => self.nothing(),
        });
        parts.push(self.body(&function.body));
        (
            self.types,
            self.locals,
            self.places,
            self.known,
            self.present,
            self.depth,
        ) = around;
        let own = self.parts("function", parts);
        self.said_at.entry(own).or_insert(function.span);
        own
    }

    fn function_if_any(&mut self, id: Option<FuncId>) -> Term {
        match id {
            Some(id) => self.function(id),
            None => self.nothing(),
        }
    }

    fn family(&mut self, family: &'g Family, arms: Vec<Term>) -> Term {
        self.types = &[];
        self.locals.clear();
        let mut parts = Vec::new();
        let params = family.params.iter().map(|param| param.ty.clone());
        let types = family.context.iter().map(|local| local.ty.clone());
        for (at, ty) in types.chain(params).enumerate() {
            let leaf = self.terms.leaf(Op::Bound(at, None), ty.clone());
            let range = self.ty(&ty);
            let own = self.parts("local", vec![leaf, range]);
            self.locals.insert(LocalId::from(at), own);
            parts.push(own);
        }
        for param in &family.params {
            let own = self.source(family, &param.source, &param.ty);
            parts.push(own);
        }
        for func in [family.guard, family.after, family.effect, family.rank] {
            parts.push(self.function_if_any(func));
        }
        let arms = self.set("arms", arms);
        parts.push(arms);
        let own = self.parts("family", parts);
        self.said_at.entry(own).or_insert(family.span);
        own
    }

    fn source(&mut self, family: &Family, source: &'g ParamSource, ty: &Type) -> Term {
        match source {
            ParamSource::All => self.parts("all", Vec::new()),
            ParamSource::Among(members) => match super::may::domain_of(ty) {
                Some(domain) => {
                    let set = Const::Set(members.clone());
                    self.terms.constant(set, Type::Set(domain))
                }
                None => self.refuse("candidates that are no members"),
            },
            ParamSource::Is(value) => {
                let value = self.value(value);
                self.parts("is", vec![value])
            }
            ParamSource::Listed { by, table } => {
                let by = self.locals[&LocalId::from(family.context.len() + by)];
                let table = self.table(*table);
                self.parts("listed", vec![table, by])
            }
            ParamSource::Generated(func) => {
                let func = self.function(*func);
                self.parts("generated", vec![func])
            }
            ParamSource::Subset { of, size } => {
                let parts = vec![self.value(of), self.value(size)];
                self.parts("subset", parts)
            }
        }
    }

    fn point(
        &mut self,
        index: usize,
        point: &'g Point,
        types: &'g [Local],
        arms: &mut [Vec<Term>],
    ) -> Term {
        let number = self.number(index);
        match point {
            Point::Choose(choose) => self.choice(number, choose, types, arms),
            Point::Chance(chance, block) => {
                let draw = self.number(chance.draw.index());
                let dist = match &chance.dist {
                    Distribution::Uniform(from, to) => {
                        let ends = vec![self.value(from), self.value(to)];
                        self.parts("uniform", ends)
                    }
                    Distribution::Weighted {
                        local,
                        over,
                        weight,
                    } => {
                        let parts = self.bound(*local, over, weight);
                        self.parts("weighted", parts.to_vec())
                    }
                };
                let into = self.local(chance.into);
                let body = self.body(block);
                self.parts("draw", vec![number, draw, dist, into, body])
            }
        }
    }

    fn choice(
        &mut self,
        number: Term,
        choose: &'g Choose,
        types: &'g [Local],
        arms: &mut [Vec<Term>],
    ) -> Term {
        let players = self.value(&choose.players);
        for arm in &choose.arms {
            self.locals_of(types);
            let own = self.arm(number, arm);
            arms[arm.family.index()].push(own);
        }
        self.locals_of(types);
        let otherwise = match &choose.otherwise {
            Some(block) => self.body(block),
            None => self.nothing(),
        };
        self.parts("choose", vec![number, players, otherwise])
    }

    fn arm(&mut self, number: Term, arm: &'g Arm) -> Term {
        let mut parts = vec![number];
        for value in &arm.given {
            let value = self.value(value);
            parts.push(value);
        }
        for local in &arm.bind {
            let own = self.local(*local);
            parts.push(own);
        }
        let body = self.body(&arm.body);
        parts.push(body);
        self.parts("arm", parts)
    }

    /// What an identity compares, in no order.
    fn identity(&mut self, id: IdentityId) -> Term {
        let mut parts = Vec::new();
        let game = self.game;
        for term in &game.identity(id).terms {
            let own = match term {
                IdentityTerm::Each {
                    domain,
                    when,
                    values,
                } => self.each("each", *domain, when, values),
                IdentityTerm::Bag {
                    domain,
                    when,
                    values,
                } => self.each("bag", *domain, when, values),
                IdentityTerm::Value(value) => {
                    self.locals_of(&[]);
                    self.value(value)
                }
                IdentityTerm::Everything | IdentityTerm::Parts(_) => self.nothing(),
                IdentityTerm::Nest { .. } => self.refuse("an equality of trees"),
            };
            parts.push(own);
        }
        self.set("identity", parts)
    }

    /// What is asked of each member of a domain.
    fn each(
        &mut self,
        name: &'static str,
        domain: DomainId,
        when: &'g Expr,
        values: &'g [Expr],
    ) -> Term {
        self.locals_of(&[]);
        let which = self
            .terms
            .leaf(Op::Bound(BOUND - 1, None), Type::Elem(domain));
        self.locals.insert(LocalId::from(0), which);
        let mut parts = vec![which, self.value(when)];
        for value in values {
            let value = self.value(value);
            parts.push(value);
        }
        self.parts(name, parts)
    }

    /// What a plane asks, if it is not a part of the position as it is.
    fn plane(&mut self, plane: &Plane) -> Option<Term> {
        let (identity, at, value) = plane.source.term()?;
        let game = self.game;
        let own = match game.identity(identity).terms.get(at)? {
            IdentityTerm::Each {
                domain,
                when,
                values,
            } => {
                let value = value.and_then(|value| values.get(value..value + 1));
                self.each("each", *domain, when, value.unwrap_or_default())
            }
            IdentityTerm::Value(value) => {
                self.locals_of(&[]);
                self.value(value)
            }
            _ => self.identity(identity),
        };
        Some(self.parts("plane", vec![own]))
    }
}
