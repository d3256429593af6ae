//! Private places of pieces as pools: a piece that goes to the place that is its own goes to the first of its class that is free.
//!
//! [`crate::rename`] proves of some pieces that they are alike if each takes a place of its own along: the box of a man that is
//! taken. Positions that differ by such an exchange are one, and of each there is one in which the first of these places are taken.
//! The program is rewritten to go from such a position to such a position.

use rulec_ir::sorted::SortedMap;

use super::Mover;
use super::sources::Told;
use crate::ir::visit::walk_block;
use crate::ir::walk::{each_stmt, each_stmt_mut, rewrite, rewrite_block};
use crate::ir::{
    Axis, Block, Const, DomainId, Expr, ExprKind, Family, FuncId, Game, Local, LocalId, Over,
    ParamSource, PlacementId, Point, Stmt, StmtKind, Table, TableId, Type, UnaryOp,
};
use crate::opt::tables::known_or_new;

/// Pieces that are alike, each with a place of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The pieces, in the order of their places.
    pub pieces: Vec<u32>,
    /// The place of each, ascending.
    pub places: Vec<u32>,
}

impl Pool {
    /// The pool of some pieces, of which each has these places to itself; nothing where that is not one for each.
    fn of(pieces: &[u32], own: &[Vec<u32>]) -> Option<Pool> {
        let single = |own: &Vec<u32>| <[u32; 1]>::try_from(&own[..]).ok().map(|[place]| place);
        let places: Vec<u32> = own.iter().map(single).collect::<Option<_>>()?;
        let mut pairs: Vec<(u32, u32)> = places.into_iter().zip(pieces.iter().copied()).collect();
        pairs.sort_unstable();
        let (places, of): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
        let whole = of.len() == pieces.len() && !of.is_empty();
        whole.then_some(Pool { pieces: of, places })
    }
}

/// The pools of a game whose pieces stand on one board.
#[derive(Clone, Debug, Default)]
pub(super) struct Pools {
    pub(super) all: Vec<Pool>,
    /// The place of its own that a piece has.
    own: SortedMap<u32, u32>,
    /// For each such place the first of the pool.
    first: SortedMap<u32, u32>,
}

impl Pools {
    /// The pools of which nothing starts on a place.
    pub(super) fn of(game: &Game, placement: PlacementId) -> Pools {
        let placement = game.placement(placement);
        let fits = game.interchangeable.iter().filter(|class| {
            class.domain == placement.pieces && class.with_places == Some(placement.places)
        });
        let mut pools = Pools::default();
        for class in fits {
            let pool = Pool::of(&class.members, &class.places);
            let Some(pool) = pool.filter(|pool| {
                let mut places = pool.places.iter();
                places.all(|place| {
                    !placement.init.contains(&Some(*place)) && !pools.first.contains_key(place)
                })
            }) else {
                continue;
            };
            let pairs = pool.pieces.iter().zip(&pool.places);
            pools
                .own
                .extend(pairs.map(|(piece, place)| (*piece, *place)));
            let first = pool.places[0];
            let places = pool.places.iter();
            pools.first.extend(places.map(|place| (*place, first)));
            pools.all.push(pool);
        }
        pools
    }

    /// Whether these pieces are those of a pool.
    pub(super) fn are_pool(&self, pieces: &[u32]) -> bool {
        let is_own = |pool: &Pool| {
            pieces
                .first()
                .is_some_and(|first| pool.pieces.contains(first))
        };
        self.all.iter().any(is_own)
    }

    /// The parameter of a family that is the place of its own of the piece that moves.
    pub(super) fn param(&self, game: &Game, family: &Family, mover: &Mover) -> Option<usize> {
        let is_own = |table: TableId| {
            let values = &game.table(table).values;
            mover.candidates.iter().all(|piece| {
                match (self.own.get(piece), values.get(*piece as usize)) {
                    (Some(own), Some(Const::Set(row))) => row[..] == [*own],
                    _ => false,
                }
            })
        };
        family.params.iter().position(|param| match param.source {
            ParamSource::Listed { by, table } => by == mover.piece && is_own(table),
            _ => false,
        })
    }

    /// Whether a move never takes its piece from a place of a pool.
    pub(super) fn stay(&self, game: &Game, mover: &Mover) -> bool {
        let never = |place: &u32| {
            let when = mover.when.as_ref();
            when.is_some_and(|when| super::admits(game, when, *place) == Some(false))
        };
        self.first.keys().all(never)
    }
}

/// Rewrites a program whose pieces are told by their places. `told` are the functions that get a piece that moves.
///
/// # Errors
/// What the rules do with such a place besides.
pub(super) fn fill(
    game: &mut Game,
    placement: PlacementId,
    pools: &Pools,
    movers: &[Option<Mover>],
    told: &SortedMap<FuncId, Told>,
) -> Result<(), String> {
    if !movers.iter().flatten().all(|mover| pools.stay(game, mover)) {
        return Err(String::from("pieces come back from places of their own"));
    }
    let mut fill = Fill {
        placement,
        pools,
        row: None,
        told,
    };
    fill.row = Some(fill.table(game));
    for (index, mover) in movers.iter().enumerate() {
        if let Some(mover) = mover
            && let Some(own) = mover.own
        {
            fill.family(game, index, mover, own)?;
        }
    }
    for (func, told) in told {
        if let Some(own) = told.own {
            fill.function(game, *func, own)?;
        }
    }
    fill.machine(game, movers)?;
    fill.others_keep_out(game)
}

struct Fill<'a> {
    placement: PlacementId,
    pools: &'a Pools,
    /// The table of the places of the pool of each piece.
    row: Option<TableId>,
    told: &'a SortedMap<FuncId, Told>,
}

impl Fill<'_> {
    /// A new table that gives for each piece the places of its pool.
    fn table(&self, game: &mut Game) -> TableId {
        let (pieces, places) = self.domains(game);
        let mut values = vec![Const::Set(Vec::new()); game.domain(pieces).len()];
        for pool in &self.pools.all {
            for piece in &pool.pieces {
                values[*piece as usize] = Const::Set(pool.places.clone());
            }
        }
        let table = Table {
            name: String::from("places of a pool"),
            axes: vec![Axis::Domain(pieces)],
            ty: Type::Set(places),
            values,
            outside: None,
            span: game.placement(self.placement).span,
        };
        known_or_new(game, table)
    }

    fn domains(&self, game: &Game) -> (DomainId, DomainId) {
        let placement = game.placement(self.placement);
        (placement.pieces, placement.places)
    }

    /// What is asked about moves of a family.
    fn family(
        &self,
        game: &mut Game,
        index: usize,
        mover: &Mover,
        at: usize,
    ) -> Result<(), String> {
        let family = game.families[index].clone();
        let context = family.context.len();
        let (own, piece) = (LocalId::from(context + at), (context + mover.piece).into());
        for param in &family.params {
            if let ParamSource::Is(expr) = &param.source {
                self.uses_of(game, expr, own)?;
            }
        }
        let functions = [family.guard, family.effect, family.rank];
        for func in functions.into_iter().flatten() {
            if self.told.get(&func).is_none_or(|told| told.own.is_none()) {
                let name = &game.function(func).name;
                return Err(format!("`{name}` is asked about other moves, too"));
            }
        }
        let mut class = family.class;
        for expr in &mut class {
            rewrite(expr, &mut |expr| self.tell_by_piece(game, expr, own, piece));
            self.uses_of(game, expr, own)?;
        }
        game.families[index].class = class;
        Ok(())
    }

    /// What a table says of the place of its own of a piece becomes a table by the piece, which says of all that are alike what it
    /// says of the first.
    fn tell_by_piece(&self, game: &mut Game, expr: &mut Expr, own: LocalId, piece: LocalId) {
        let ExprKind::Lookup(id, index) = &expr.kind else {
            return;
        };
        if !matches!(&index[..], [index] if index.kind == ExprKind::Local(own)) {
            return;
        }
        let (pieces, _) = self.domains(game);
        let table = game.table(*id);
        let said = |piece: u32| {
            let own = self.pools.own.get(&piece);
            let first = own.and_then(|own| self.pools.first.get(own));
            first.and_then(|first| table.values.get(*first as usize))
        };
        let any = table.values.first();
        let values: Option<Vec<Const>> = (0..game.domain(pieces).len() as u32)
            .map(|piece| said(piece).or(any).cloned())
            .collect();
        let Some(values) = values else { return };
        let table = Table {
            name: format!("{} by piece", table.name),
            axes: vec![Axis::Domain(pieces)],
            ty: table.ty.clone(),
            values,
            outside: None,
            span: table.span,
        };
        let table = known_or_new(game, table);
        let by = Expr::local(piece, Type::Elem(pieces), expr.span);
        expr.kind = ExprKind::Lookup(table, vec![by]);
    }

    /// The first free place of the pool of what stands on a place.
    fn free(&self, game: &Game, piece: &Expr, own: LocalId, found: LocalId) -> Option<Expr> {
        let (_, places) = self.domains(game);
        let span = piece.span;
        let pool = Expr::lookup(game, self.row?, vec![piece.clone()], span);
        let place = Expr::local(found, Type::Elem(places), span);
        let content = ExprKind::Content(self.placement, Box::new(place));
        let content = Expr::new(
            content,
            Type::Opt(game.placement(self.placement).pieces),
            span,
        );
        let there = Expr::new(ExprKind::IsSome(Box::new(content)), Type::Bool, span);
        let free = ExprKind::First {
            local: found,
            over: Box::new(Over::Set(pool)),
            when: Box::new(Expr::new(
                ExprKind::Unary(UnaryOp::Not, Box::new(there)),
                Type::Bool,
                span,
            )),
        };
        let free = Expr::new(free, Type::Opt(places), span);
        let own = Expr::local(own, Type::Elem(places), span);
        let place = ExprKind::OrElse(Box::new(free), Box::new(own));
        Some(Expr::new(place, Type::Elem(places), span))
    }

    /// Whether a place is the first free one of a pool.
    fn is_free(&self, place: &Expr) -> bool {
        let ExprKind::OrElse(free, _) = &place.kind else {
            return false;
        };
        let ExprKind::First { over, .. } = &free.kind else {
            return false;
        };
        matches!(&**over, Over::Set(set) if matches!(&set.kind, ExprKind::Lookup(table, _) if Some(*table) == self.row))
    }

    /// In a function: whether anything is on the place of its own is known, and a piece that goes there goes to the pool.
    fn function(&self, game: &mut Game, func: FuncId, own: LocalId) -> Result<(), String> {
        let (pieces, places) = self.domains(game);
        let mut body = std::mem::take(&mut game.functions[func.index()].body);
        let is_own = |expr: &Expr| expr.kind == ExprKind::Local(own);
        let is_guard = game
            .families
            .iter()
            .any(|family| family.guard == Some(func));
        let mut is_called = false;
        each_stmt(game, &mut |stmt| {
            is_called |=
                matches!(&stmt.kind, StmtKind::Call { func: called, .. } if *called == func);
        });
        // What calls it may have brought the piece there already.
        if is_guard && !is_called {
            rewrite_block(&mut body, &mut |expr| match &expr.kind {
                ExprKind::Content(of, place) if *of == self.placement && is_own(place) => {
                    expr.kind = ExprKind::Const(Const::None);
                    expr.ty = Type::Opt(pieces);
                }
                _ => {}
            });
        }
        let mut goes = false;
        let found = LocalId::from(game.function(func).locals.len());
        each_stmt_mut(&mut body, &mut |stmt| {
            if let StmtKind::Bring(_, piece, place, _) = &mut stmt.kind
                && is_own(place)
                && let Some(free) = self.free(game, piece, own, found)
            {
                *place = free;
                goes = true;
            }
        });
        if goes {
            let local = Local {
                name: String::from("free"),
                ty: Type::Elem(places),
            };
            game.functions[func.index()].locals.push(local);
        }
        let uses = self.uses_in(game, &body, own);
        game.functions[func.index()].body = body;
        uses
    }

    fn uses_in(&self, game: &Game, block: &Block, own: LocalId) -> Result<(), String> {
        let mut uses = Ok(());
        walk_block(block, &mut |stmt| {
            if uses.is_ok() {
                uses = self.uses(game, stmt, own);
            }
        });
        uses
    }

    /// Whether a statement asks of the place of its own of a piece what is the same for all that are alike.
    fn uses(&self, game: &Game, stmt: &Stmt, own: LocalId) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Bring(_, piece, place, _) if self.is_free(place) => {
                self.uses_of(game, piece, own)
            }
            StmtKind::Call { func, args, .. } => {
                let told = self.told.get(func).and_then(|told| told.own);
                (0..).zip(args).try_for_each(|(at, arg)| {
                    match arg.kind == ExprKind::Local(own) && told == Some(LocalId::from(at)) {
                        true => Ok(()),
                        false => self.uses_of(game, arg, own),
                    }
                })
            }
            _ => {
                let mut exprs = Vec::new();
                stmt.children(&mut |expr| exprs.push(expr));
                (exprs.into_iter()).try_for_each(|expr| self.uses_of(game, expr, own))
            }
        }
    }

    fn uses_of(&self, game: &Game, expr: &Expr, own: LocalId) -> Result<(), String> {
        let origin = || game.origin(expr.span);
        let mut inner = Vec::new();
        match &expr.kind {
            ExprKind::Local(local) if *local == own => {
                return Err(format!("{} asks which place a piece goes to", origin()));
            }
            ExprKind::Lookup(table, index) => {
                for (axis, arg) in index.iter().enumerate() {
                    if arg.kind != ExprKind::Local(own) {
                        inner.push(arg);
                    } else if !self.same_along(game, *table, axis) {
                        let name = &game.table(*table).name;
                        return Err(format!("{} asks `{name}` where a piece goes", origin()));
                    }
                }
            }
            _ => expr.children(&mut |child| inner.push(child)),
        }
        (inner.into_iter()).try_for_each(|expr| self.uses_of(game, expr, own))
    }

    /// Whether a table says the same of all places of each pool.
    fn same_along(&self, game: &Game, table: TableId, axis: usize) -> bool {
        let table = game.table(table);
        let first = |member: usize| self.pools.first.get(&(member as u32)).copied();
        super::same_along(game, &table.axes, &table.values, axis, &first)
    }

    fn machine(&self, game: &Game, movers: &[Option<Mover>]) -> Result<(), String> {
        let points = game.machine.iter().flat_map(|machine| &machine.points);
        for point in points {
            let Point::Choose(choose) = point else {
                continue;
            };
            for arm in &choose.arms {
                let mover = movers[arm.family.index()].as_ref();
                let own = mover.and_then(|mover| arm.bind.get(mover.own?));
                if let Some(own) = own {
                    self.uses_in(game, &arm.body, *own)?;
                }
            }
        }
        Ok(())
    }

    /// Whether nothing else comes to places of pools.
    fn others_keep_out(&self, game: &Game) -> Result<(), String> {
        let mut comes = None;
        let is_pool = |place: &u32| self.pools.first.contains_key(place);
        each_stmt(game, &mut |stmt| {
            let keeps_out = match &stmt.kind {
                StmtKind::Bring(_, _, place, known) => {
                    self.is_free(place) || !known.to.iter().any(is_pool)
                }
                StmtKind::Put(..) => false,
                _ => true,
            };
            if !keeps_out {
                comes = Some(stmt.span);
            }
        });
        match comes {
            Some(span) => Err(format!(
                "{} puts pieces on places of others",
                game.origin(span)
            )),
            None => Ok(()),
        }
    }
}
