//! The functions that give sets of places, and what asks them.

use crate::board::contents::{Cases, Contents, Mask};
use crate::board::walks::{Spot, Told};
use crate::ir::{
    Axis, BinaryOp, Block, Const, DomainId, Expr, ExprKind, FuncId, Function, Game, Local, LocalId,
    Over, PlacementForm, Stmt, Table, TableId, Type, UnaryOp, WalkGive,
};
use crate::opt::tables::{free_name, known_or_new};
use crate::source::Span;

use super::{Asks, Found};

/// Products of tests of one place.
const MOST_PRODUCTS: usize = 32;

/// Replaces the body of a function; nothing where its set cannot be told.
pub(super) fn write(game: &mut Game, found: &Found) -> Option<()> {
    let function = game.function(found.func);
    let span = function.span;
    let own: Vec<usize> = (0..function.params)
        .filter(|param| match &found.asks {
            Asks::Member(member, _) => member.index() != *param,
            Asks::Some(..) => true,
        })
        .filter(|param| found.cases.tells(LocalId::from(*param)))
        .collect();
    let params: Vec<Local> = own
        .iter()
        .map(|param| function.locals[*param].clone())
        .collect();
    let args = own.iter().map(|param| {
        let ty = function.locals[*param].ty.clone();
        Expr::local(LocalId::from(*param), ty, span)
    });
    let args: Vec<Expr> = args.collect();
    let name = function.name.clone();
    let tables = game.tables.len();
    let writer = Writer {
        places: game.placement(found.placement).places,
        game,
        found,
        own,
        locals: params.clone(),
        body: Vec::new(),
        masks: Vec::new(),
        shapes: vec![None; found.told.len()],
        span,
    };
    let (params, made) = match writer.set() {
        Some((locals, body)) => (params.len(), (locals, body)),
        None => {
            game.tables.truncate(tables);
            return None;
        }
    };
    let set = set_function(
        game,
        &name,
        params,
        made,
        Type::Set(places_of(game, found)),
        span,
    );
    let set = Expr::call(game, set, args, span);
    let value = asked(game, found, set, span);
    let function = &mut game.functions[found.func.index()];
    function.locals.truncate(function.params);
    function.body = vec![Stmt::give(value)];
    Some(())
}

fn places_of(game: &Game, found: &Found) -> DomainId {
    game.placement(found.placement).places
}

/// The question about a set.
fn asked(game: &Game, found: &Found, set: Expr, span: Span) -> Expr {
    let places = places_of(game, found);
    let constant =
        |members: &[u32]| Expr::constant(Const::Set(members.to_vec()), Type::Set(places), span);
    match &found.asks {
        Asks::Member(param, among) => {
            let set = match among {
                None => set,
                Some(among) => Expr::binary(BinaryOp::Intersect, set, constant(among)),
            };
            let member = Expr::local(*param, Type::Elem(places), span);
            Expr::binary(BinaryOp::In, member, set)
        }
        Asks::Some(among, holds) => {
            let met = Expr::binary(BinaryOp::Intersect, set, constant(among));
            let op = match holds {
                true => BinaryOp::Ne,
                false => BinaryOp::Eq,
            };
            Expr::binary(op, met, constant(&[]))
        }
    }
}

/// The function of a body that gives a set, one that is there already if possible.
fn set_function(
    game: &mut Game,
    name: &str,
    params: usize,
    (locals, body): (Vec<Local>, Block),
    ty: Type,
    span: Span,
) -> FuncId {
    let plain = |body: &Block| {
        let mut body = body.clone();
        body.iter_mut().for_each(forget_span);
        body
    };
    let types =
        |locals: &[Local]| -> Vec<Type> { locals.iter().map(|local| local.ty.clone()).collect() };
    let wanted = (plain(&body), types(&locals));
    let same = |other: &Function| {
        other.ret.as_ref() == Some(&ty)
            && other.params == params
            && (plain(&other.body), types(&other.locals)) == wanted
    };
    if let Some(known) = game.functions.iter().position(same) {
        return FuncId::from(known);
    }
    let names = game.functions.iter().map(|other| other.name.as_str());
    let name = free_name(&format!("places of {name}"), names);
    game.functions.push(Function {
        name,
        params,
        locals,
        ret: Some(ty),
        body,
        doc: "The places where the rule holds, of all at once.".to_owned(),
        span,
    });
    FuncId::from(game.functions.len() - 1)
}

fn forget_span(stmt: &mut Stmt) {
    stmt.span = Span::default();
    stmt.children_mut(&mut |expr| {
        crate::ir::walk::rewrite(expr, &mut |expr| expr.span = Span::default());
    });
}

struct Writer<'a> {
    game: &'a mut Game,
    found: &'a Found,
    places: DomainId,
    /// The parameters of the function that become those of the set.
    own: Vec<usize>,
    locals: Vec<Local>,
    body: Block,
    /// The variables that hold the places with some contents, and shapes.
    masks: Vec<(&'a Mask, LocalId)>,
    shapes: Vec<Option<LocalId>>,
    span: Span,
}

impl<'a> Writer<'a> {
    /// The local variables and the body of the function that gives the set.
    fn set(mut self) -> Option<(Vec<Local>, Block)> {
        let shape = self.shape(self.found.shape)?;
        // What was kept last is given at once.
        match self.body.pop() {
            Some(Stmt {
                kind: crate::ir::StmtKind::Let(local, value),
                ..
            }) if shape.kind == ExprKind::Local(local) => self.body.push(Stmt::give(value)),
            last => {
                self.body.extend(last);
                self.body.push(Stmt::give(shape));
            }
        }
        Some((self.locals, self.body))
    }

    fn set_type(&self) -> Type {
        Type::Set(self.places)
    }

    fn constant(&self, members: Vec<u32>) -> Expr {
        Expr::constant(Const::Set(members), self.set_type(), self.span)
    }

    fn local(&mut self, name: &str, ty: Type) -> LocalId {
        self.locals.push(Local {
            name: name.to_owned(),
            ty,
        });
        LocalId::from(self.locals.len() - 1)
    }

    /// Keeps a set in a variable.
    fn keep(&mut self, name: &str, set: Expr) -> LocalId {
        let local = self.local(name, self.set_type());
        self.body.push(Stmt::assign(local, set));
        local
    }

    fn kept(&self, local: LocalId) -> Expr {
        Expr::local(local, self.set_type(), self.span)
    }

    fn shape(&mut self, number: usize) -> Option<Expr> {
        if let Some(local) = self.shapes[number] {
            return Some(self.kept(local));
        }
        let found = self.found;
        let (name, set) = match &found.told[number] {
            Told::Walk { pass, stop, next } => {
                let pairs = next.iter().map(|(from, to)| (*from, *to)).collect();
                let step = self.step(pairs);
                ("closed", self.walk(pass, stop, step)?)
            }
            Told::Place(spots) => {
                let mut spots: Vec<&Spot> = spots.iter().collect();
                spots.sort_by_key(|spot| self.direction(spot));
                let spots = spots.into_iter().map(|spot| self.spot(spot));
                let spots: Vec<Expr> = spots.collect::<Option<_>>()?;
                if spots.len() > MOST_PRODUCTS {
                    return None;
                }
                let union = |all, one| Expr::binary(BinaryOp::Union, all, one);
                ("held", spots.into_iter().reduce(union)?)
            }
        };
        let local = self.keep(name, set);
        self.shapes[number] = Some(local);
        Some(self.kept(local))
    }

    /// The first difference on the walks that are asked for, so that the order tells nothing of how they were found.
    fn direction(&self, spot: &Spot) -> Option<i64> {
        spot.shapes.iter().find_map(|(shape, _)| {
            let Told::Walk { next, .. } = &self.found.told[*shape] else {
                return None;
            };
            let (from, to) = next.iter().next()?;
            Some(i64::from(*to) - i64::from(*from))
        })
    }

    /// The places from which a walk passes one place at least and is stopped by one of the second kind.
    fn walk(&mut self, pass: &'a Mask, stop: &'a Mask, step: TableId) -> Option<Expr> {
        let (span, places) = (self.span, self.places);
        let (pass, stop) = (self.standing(pass)?, self.standing(stop)?);
        let from = self.local("place", Type::Elem(places));
        let at = self.local("at", Type::Elem(places));
        let walk = |writer: &Self, give| {
            let from = Expr::local(from, Type::Elem(places), span);
            let start = Expr::lookup(writer.game, step, vec![from], span);
            let here = Expr::local(at, Type::Elem(places), span);
            let walk = ExprKind::Walk {
                start: Box::new(start),
                step,
                local: at,
                pass: Box::new(Expr::binary(BinaryOp::In, here, pass.clone())),
                give,
            };
            Expr::new(walk, writer.set_type(), span)
        };
        let none = self.constant(Vec::new());
        let passed = walk(self, WalkGive::Passed);
        let stopped = Expr::binary(BinaryOp::Intersect, walk(self, WalkGive::Reached), stop);
        let when = Expr::binary(BinaryOp::Ne, passed, none.clone()).and(Expr::binary(
            BinaryOp::Ne,
            stopped,
            none,
        ));
        Some(self.collected(from, when))
    }

    fn collected(&self, local: LocalId, when: Expr) -> Expr {
        let kind = ExprKind::Collect {
            local,
            over: Box::new(Over::Domain(self.places)),
            when: Box::new(when),
        };
        Expr::new(kind, self.set_type(), self.span)
    }

    /// The places of which something is true.
    fn spot(&mut self, spot: &'a Spot) -> Option<Expr> {
        let every = spot.mask.iter().all(|contents| *contents == self.any());
        let mut all = match every && spot.shapes.iter().any(|(_, holds)| *holds) {
            true => None,
            false => Some(self.standing(&spot.mask)?),
        };
        let mut shapes: Vec<&(usize, bool)> = spot.shapes.iter().collect();
        shapes.sort_by_key(|(shape, holds)| (!holds, *shape));
        for (shape, holds) in shapes {
            let set = self.shape(*shape)?;
            all = Some(match (all, holds) {
                (None, _) => set,
                (Some(all), true) => Expr::binary(BinaryOp::Intersect, all, set),
                (Some(all), false) => Expr::binary(BinaryOp::Minus, all, set),
            });
        }
        all
    }

    fn any(&self) -> Contents {
        Contents::of(&vec![true; self.found.board.contents.len() + 1])
    }

    /// The places with some contents, kept in a variable.
    fn standing(&mut self, mask: &'a Mask) -> Option<Expr> {
        if let Some((_, local)) = self.masks.iter().find(|(known, _)| *known == mask) {
            return Some(self.kept(*local));
        }
        let set = self.in_cases(&self.found.cases, &mask.iter().collect::<Vec<_>>())?;
        let local = self.keep("standing", set);
        self.masks.push((mask, local));
        Some(self.kept(local))
    }

    /// The places with the contents of the case that is given.
    fn in_cases(&mut self, cases: &Cases, known: &[&Contents]) -> Option<Expr> {
        let Some((given, parts)) = cases.split(known) else {
            return self.of_contents(known.first()?);
        };
        let given = self.renumbered(given)?;
        let mut all: Option<Expr> = None;
        for (value, cases, known) in parts.into_iter().rev() {
            let known: Vec<&Contents> = known.into_iter().copied().collect();
            let set = self.in_cases(&cases, &known)?;
            let value = Expr::constant(value.clone(), given.ty.clone(), self.span);
            let test = given.clone().equals(value).at(self.span);
            all = Some(match all {
                Some(all) => Expr::select(test, set, all),
                None => set,
            });
        }
        all
    }

    /// Something given, as an expression of the parameters of the set.
    fn renumbered(&self, given: &Expr) -> Option<Expr> {
        let mut given = given.clone().at(self.span);
        let mut all = true;
        crate::opt::locals::rename_expr(&mut given, &mut |local| match self
            .own
            .iter()
            .position(|param| *param == local.index())
        {
            Some(place) => LocalId::from(place),
            None => {
                all = false;
                local
            }
        });
        all.then_some(given)
    }

    /// The places with one of some contents; the last of them is that of an empty place.
    fn of_contents(&mut self, contents: &Contents) -> Option<Expr> {
        let count = self.found.board.contents.len();
        let holds: Vec<bool> = (0..=count).map(|at| contents.contains(at)).collect();
        let (empty, standing) = holds.split_last()?;
        let one = |value: bool| standing.iter().all(|other| *other == value);
        if one(true) || one(false) {
            let taken = self.taken();
            return Some(match (*empty, one(true)) {
                (true, true) => Expr::unary(UnaryOp::Complement, self.constant(Vec::new())),
                (false, true) => taken,
                (true, false) => Expr::unary(UnaryOp::Complement, taken),
                (false, false) => self.constant(Vec::new()),
            });
        }
        let set = self
            .by_variable(standing)
            .or_else(|| self.by_piece(standing))?;
        Some(match empty {
            false => set,
            true => {
                let free = Expr::unary(UnaryOp::Complement, self.taken());
                Expr::binary(BinaryOp::Union, set, free)
            }
        })
    }

    fn content(&self, place: LocalId) -> Expr {
        let place = Expr::local(place, Type::Elem(self.places), self.span);
        Expr::content(self.game, self.found.placement, place)
    }

    /// The places where something stands.
    fn taken(&mut self) -> Expr {
        let place = self.local("place", Type::Elem(self.places));
        self.collected(place, self.content(place).is_some())
    }

    /// The places where a variable of what stands there has some values.
    fn by_variable(&mut self, standing: &[bool]) -> Option<Expr> {
        let board = &self.found.board;
        let (at, var) = (0..board.tracked.len()).find_map(|at| {
            let of = |wanted: &Const| {
                let same = board.contents.iter().zip(standing);
                let mut same = same.filter(|((_, known), _)| known[at] == *wanted);
                let first = same.next().map(|(_, holds)| *holds);
                same.all(|(_, holds)| Some(*holds) == first)
            };
            let mut values = board.contents.iter().map(|(_, known)| &known[at]);
            values.all(of).then_some((at, board.tracked[at]))
        })?;
        let mut values: Vec<Const> = Vec::new();
        for ((_, known), holds) in board.contents.iter().zip(standing) {
            if *holds && !values.contains(&known[at]) {
                values.push(known[at].clone());
            }
        }
        let sets: Vec<Expr> = values
            .into_iter()
            .map(|value| {
                let place = self.local("place", Type::Elem(self.places));
                let stands = self.content(place);
                let piece = stands.clone().get();
                let held = Expr::var(self.game, var, vec![piece], self.span);
                let ty = held.ty.clone();
                let equal = held.equals(Expr::constant(value, ty, self.span));
                self.collected(place, stands.is_some().and(equal))
            })
            .collect();
        sets.into_iter()
            .reduce(|all, one| Expr::binary(BinaryOp::Union, all, one))
    }

    /// The places where one of some pieces stands.
    fn by_piece(&mut self, standing: &[bool]) -> Option<Expr> {
        let board = &self.found.board;
        let pieces = self.game.placement(self.found.placement).pieces;
        let mut holds: Vec<Option<bool>> = vec![None; self.game.domain(pieces).len()];
        for ((piece, _), value) in board.contents.iter().zip(standing) {
            let slot = &mut holds[*piece as usize];
            if *slot.get_or_insert(*value) != *value {
                return None;
            }
        }
        if self.game.placement(self.found.placement).form == PlacementForm::Anonymous {
            let kinds = (0u32..).zip(&holds);
            let kinds = kinds.filter(|(_, holds)| **holds == Some(true));
            let sets = kinds.map(|(kind, _)| {
                let kind = Expr::elem(pieces, kind, self.span);
                let kind = ExprKind::Places(self.found.placement, Box::new(kind));
                Expr::new(kind, self.set_type(), self.span)
            });
            return sets.reduce(|all, one| Expr::binary(BinaryOp::Union, all, one));
        }
        let values = holds.iter().map(|holds| Const::Bool(*holds == Some(true)));
        let table = self.table(
            "what stands",
            pieces,
            Type::Bool,
            values.collect(),
            Some(Const::Bool(false)),
        );
        let place = self.local("place", Type::Elem(self.places));
        let stands = self.content(place);
        let when = Expr::lookup(self.game, table, vec![stands], self.span);
        Some(self.collected(place, when))
    }

    /// The table of these pairs of places.
    fn step(&mut self, pairs: Vec<(u32, u32)>) -> TableId {
        let mut values = vec![Const::None; self.game.domain(self.places).len()];
        for (from, to) in pairs {
            values[from as usize] = Const::Elem(to);
        }
        let places = self.places;
        self.table("next on the way", places, Type::Opt(places), values, None)
    }

    /// A table with these values, one that there is already if possible.
    fn table(
        &mut self,
        name: &str,
        axis: DomainId,
        ty: Type,
        values: Vec<Const>,
        outside: Option<Const>,
    ) -> TableId {
        let table = Table {
            name: name.to_owned(),
            axes: vec![Axis::Domain(axis)],
            ty,
            values,
            outside,
            span: self.span,
        };
        known_or_new(self.game, table)
    }
}
