//! The functions that give sets of places, and what asks them.

use super::standing::Sets;
use crate::board::contents::Mask;
use crate::board::walks::{Spot, Told};
use crate::ir::same::placeless_block;
use crate::ir::visit::only_denies;
use crate::ir::{
    BinaryOp, Block, Const, DomainId, Expr, ExprKind, FuncId, Function, Game, Local, LocalId, Stmt,
    StmtKind, TableId, Type, WalkGive,
};
use crate::opt::tables::free_name;
use crate::source::Span;

use super::{Asks, LineTest};

/// Products of tests of one place.
const MOST_PRODUCTS: usize = 32;

/// Replaces the body of a function; nothing where its set cannot be told.
pub(super) fn write(game: &mut Game, found: &LineTest) -> Option<()> {
    let function = game.function(found.func);
    let span = function.span;
    let own: Vec<usize> = (0..function.params)
        .filter(|param| match &found.asks {
            Asks::Member(member, _) => member.index() != *param,
            Asks::Some(..) => true,
        })
        .filter(|param| found.standing.cases.tells(LocalId::from(*param)))
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
        sets: Sets::new(game, &found.standing, own, params.clone(), span),
        found,
        shapes: vec![None; found.told.len()],
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
    let value = question(game, found, set, span);
    let mut body = match game
        .families
        .iter()
        .any(|family| family.guard == Some(found.func))
    {
        true => first_tests(game.function(found.func)),
        false => Vec::new(),
    };
    body.push(Stmt::give(value));
    let function = &mut game.functions[found.func.index()];
    function.locals.truncate(function.params);
    function.body = body;
    Some(())
}

/// The tests of parameters with which a guard begins: they stay, as other passes read from them what is known of a move.
fn first_tests(guard: &Function) -> Block {
    let of_params = |expr: &Expr| {
        let mut fits = true;
        expr.walk(&mut |expr| {
            fits &= match &expr.kind {
                ExprKind::Local(local) => local.index() < guard.params,
                ExprKind::Env { .. } | ExprKind::Call(..) => false,
                _ => true,
            };
        });
        fits
    };
    let first = guard.body.iter().take_while(|stmt| match &stmt.kind {
        StmtKind::If(cond, yes, no) => no.is_empty() && only_denies(yes) && of_params(cond),
        _ => false,
    });
    first.cloned().collect()
}

fn places_of(game: &Game, found: &LineTest) -> DomainId {
    game.placement(found.standing.placement).places
}

/// The question about a set.
fn question(game: &Game, found: &LineTest, set: Expr, span: Span) -> Expr {
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
    let types =
        |locals: &[Local]| -> Vec<Type> { locals.iter().map(|local| local.ty.clone()).collect() };
    let wanted = (placeless_block(&body), types(&locals));
    let same = |other: &Function| {
        other.ret.as_ref() == Some(&ty)
            && other.params == params
            && (placeless_block(&other.body), types(&other.locals)) == wanted
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

struct Writer<'a> {
    sets: Sets<'a>,
    found: &'a LineTest,
    /// The variables that hold shapes.
    shapes: Vec<Option<LocalId>>,
}

impl<'a> Writer<'a> {
    /// The local variables and the body of the function that gives the set.
    fn set(mut self) -> Option<(Vec<Local>, Block)> {
        let shape = self.shape(self.found.shape)?;
        // What was kept last is given at once.
        match self.sets.body.pop() {
            Some(Stmt {
                kind: StmtKind::Let(local, value),
                ..
            }) if shape.kind == ExprKind::Local(local) => self.sets.body.push(Stmt::give(value)),
            last => {
                self.sets.body.extend(last);
                self.sets.body.push(Stmt::give(shape));
            }
        }
        Some((self.sets.locals, self.sets.body))
    }

    fn shape(&mut self, number: usize) -> Option<Expr> {
        if let Some(local) = self.shapes[number] {
            return Some(self.sets.kept(local));
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
        let local = self.sets.keep(name, set);
        self.shapes[number] = Some(local);
        Some(self.sets.kept(local))
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
        let (span, places) = (self.sets.span, self.sets.places);
        let (pass, stop) = (self.sets.standing(pass)?, self.sets.standing(stop)?);
        let from = self.sets.local("place", Type::Elem(places));
        let at = self.sets.local("at", Type::Elem(places));
        let walk = |writer: &Self, give| {
            let from = Expr::local(from, Type::Elem(places), span);
            let start = Expr::lookup(writer.sets.game, step, vec![from], span);
            let here = Expr::local(at, Type::Elem(places), span);
            let walk = ExprKind::Walk {
                start: Box::new(start),
                step,
                local: at,
                pass: Box::new(Expr::binary(BinaryOp::In, here, pass.clone())),
                give,
            };
            Expr::new(walk, writer.sets.set_type(), span)
        };
        let none = self.sets.constant(Vec::new());
        let passed = walk(self, WalkGive::Passed);
        let stopped = Expr::binary(BinaryOp::Intersect, walk(self, WalkGive::Reached), stop);
        let when = Expr::binary(BinaryOp::Ne, passed, none.clone()).and(Expr::binary(
            BinaryOp::Ne,
            stopped,
            none,
        ));
        Some(self.sets.collected(from, when))
    }

    /// The places of which something is true.
    fn spot(&mut self, spot: &'a Spot) -> Option<Expr> {
        let every = spot
            .mask
            .iter()
            .all(|contents| *contents == self.sets.any());
        let mut all = match every && spot.shapes.iter().any(|(_, holds)| *holds) {
            true => None,
            false => Some(self.sets.standing(&spot.mask)?),
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

    /// The table of these pairs of places.
    fn step(&mut self, pairs: Vec<(u32, u32)>) -> TableId {
        let mut values = vec![Const::None; self.sets.game.domain(self.sets.places).len()];
        for (from, to) in pairs {
            values[from as usize] = Const::Elem(to);
        }
        let places = self.sets.places;
        self.sets
            .table("next on the way", places, Type::Opt(places), values, None)
    }
}
