//! Turns as operations on sets.

use rulec_ir::sorted::SortedMap;

use super::{Gets, TurnedRun};
use crate::ir::{
    BinaryOp, Const, EnvId, Expr, ExprKind, Game, Local, LocalId, Over, Stmt, StmtKind, TableId,
    Type, UnaryOp,
};
use crate::opt::rays::standing::Sets;

/// Rows of tables that are looked at for one place.
const MOST_ROWS: usize = 16;

/// The places on ways from each place, and which way they run.
type Rows = Vec<(BinaryOp, SortedMap<u32, Vec<u32>>)>;

/// Puts operations on sets beside statements that turn something; nothing where that cannot be written.
pub(super) fn write(game: &mut Game, found: &TurnedRun) -> Option<()> {
    let tables = game.tables.len();
    let made = raised(game, found);
    let Some((locals, cond, raised)) = made else {
        game.tables.truncate(tables);
        return None;
    };
    let function = &mut game.functions[found.func.index()];
    let region = found.what.region.0..found.what.region.1;
    let scalar: Vec<Stmt> = function.body.splice(region, []).collect();
    let span = function.span;
    let branch = Stmt::new(StmtKind::If(cond, scalar, raised), span);
    function.body.insert(found.what.region.0, branch);
    function.locals = locals;
    Some(())
}

/// The local variables, when the statements stay, and what is done otherwise.
fn raised(game: &mut Game, found: &TurnedRun) -> Option<(Vec<Local>, Expr, Vec<Stmt>)> {
    let function = game.function(found.func);
    let (span, params) = (function.span, function.params);
    let locals = function.locals.clone();
    let rows = rows(&found.what.ways)?;
    let mut sets = Sets::new(game, &found.standing, (0..params).collect(), locals, span);
    let mut cond = Expr::new(ExprKind::Listened, Type::Bool, span);
    for (places, never) in &found.what.never {
        let wrong = sets.standing_now(never)?;
        let wrong = Expr::binary(
            BinaryOp::Intersect,
            wrong,
            sets.constant(places.iter().copied().collect()),
        );
        cond = cond.or(Expr::binary(BinaryOp::Ne, wrong, sets.constant(Vec::new())));
    }
    let turned = turned(&mut sets, found, rows)?;
    let turned = sets.keep("turned", turned);
    let ty = Type::Elem(sets.places);
    let place = sets.local("place", ty.clone());
    let piece = Expr::content(
        sets.game,
        found.standing.placement,
        Expr::local(place, ty, span),
    )
    .get();
    let value = sets.chosen(
        &found.what.values,
        &sets.game.var(found.what.var).ty.clone(),
    )?;
    let value = kept(&mut sets, value, found);
    let write = Stmt::new(StmtKind::SetVar(found.what.var, vec![piece], value), span);
    let all = Over::Set(sets.kept(turned));
    sets.body
        .push(Stmt::new(StmtKind::ForEach(place, all, vec![write]), span));
    for (var, gets) in &found.what.env {
        let ty = sets.game.env[var.index()].ty.clone();
        let value = match gets {
            Gets::Const(value) => Expr::constant(value.clone(), ty, span),
            Gets::Each(each) => counted(&sets, *var, ty, *each, turned)?,
        };
        sets.body.push(Stmt::set_env(*var, value));
    }
    Some((sets.locals, cond, sets.body))
}

/// A value that is used for all places.
fn kept(sets: &mut Sets<'_>, value: Expr, found: &TurnedRun) -> Expr {
    if value.as_const().is_some() {
        return value;
    }
    let ty = sets.game.var(found.what.var).ty.clone();
    let local = sets.local("value", ty.clone());
    sets.body.push(Stmt::assign(local, value));
    Expr::local(local, ty, sets.span)
}

/// A counter with so much more for each member of a set.
fn counted(sets: &Sets<'_>, var: EnvId, ty: Type, each: i64, turned: LocalId) -> Option<Expr> {
    let span = sets.span;
    if ty != Type::Wrap32 {
        return None;
    }
    let before = ExprKind::Env {
        var,
        checked: false,
    };
    let before = Expr::new(before, ty, span);
    let most = sets.game.domain(sets.places).len() as i64;
    let size = ExprKind::Size(Box::new(sets.kept(turned)));
    let size = Expr::new(size, Type::Int { lo: 0, hi: most }, span).to_wrap();
    Some(match each {
        1 => Expr::binary(BinaryOp::Add, before, size),
        -1 => Expr::binary(BinaryOp::Sub, before, size),
        _ => {
            let each = Expr::wrap(i32::try_from(each).ok()?, span);
            Expr::binary(
                BinaryOp::Add,
                before,
                Expr::binary(BinaryOp::Mul, each, size),
            )
        }
    })
}

/// The places that are passed on all ways that are stopped.
fn turned<'a>(sets: &mut Sets<'a>, found: &'a TurnedRun, rows: Rows) -> Option<Expr> {
    let (pass, stop) = (
        sets.standing(&found.what.pass)?,
        sets.standing(&found.what.stop)?,
    );
    let span = sets.span;
    let ends = Expr::unary(UnaryOp::Complement, pass.clone());
    let mut all: Option<Expr> = None;
    for (cut, rows) in rows {
        let table = row_table(sets, rows);
        let from = Expr::local(found.from, Type::Elem(sets.places), span);
        let row = Expr::lookup(sets.game, table, vec![from], span);
        let reached = Expr::binary(cut, row, ends.clone());
        let none = sets.constant(Vec::new());
        let met = Expr::binary(BinaryOp::Intersect, reached.clone(), stop.clone());
        let passed = Expr::binary(BinaryOp::Intersect, reached, pass.clone());
        let passed = Expr::select(Expr::binary(BinaryOp::Ne, met, none.clone()), passed, none);
        let passed = sets.keep("passed", passed);
        let passed = sets.kept(passed);
        all = Some(match all {
            Some(all) => Expr::binary(BinaryOp::Union, all, passed),
            None => passed,
        });
    }
    all
}

fn row_table(sets: &mut Sets<'_>, rows: SortedMap<u32, Vec<u32>>) -> TableId {
    let count = sets.game.domain(sets.places).len() as u32;
    let values = (0..count).map(|place| {
        let mut row = rows.get(&place).cloned().unwrap_or_default();
        row.sort_unstable();
        Const::Set(row)
    });
    let (places, ty) = (sets.places, sets.set_type());
    sets.table("places on a way", places, ty, values.collect(), None)
}

/// The ways as rows of few tables: those whose numbers rise, and those whose numbers fall.
fn rows(ways: &SortedMap<u32, Vec<Vec<u32>>>) -> Option<Rows> {
    let mut all: Rows = Vec::new();
    for (cut, rises) in [(BinaryOp::UpTo, true), (BinaryOp::DownTo, false)] {
        let mut each: Vec<SortedMap<u32, Vec<u32>>> = Vec::new();
        for (from, ways) in ways {
            let mut own: Vec<&Vec<u32>> =
                ways.iter().filter(|way| runs(way) == Some(rises)).collect();
            own.sort();
            for (at, way) in own.into_iter().enumerate() {
                if each.len() == at {
                    each.push(SortedMap::new());
                }
                each[at].insert(*from, way.clone());
            }
        }
        all.extend(each.into_iter().map(|rows| (cut, rows)));
    }
    let known = ways.values().flatten().all(|way| runs(way).is_some());
    (known && !all.is_empty() && all.len() <= MOST_ROWS).then_some(all)
}

/// Whether the numbers of a way rise or fall, if they do one of both.
fn runs(way: &[u32]) -> Option<bool> {
    let rises = way.windows(2).all(|pair| pair[0] < pair[1]);
    let falls = way.windows(2).all(|pair| pair[0] > pair[1]);
    (rises != falls).then_some(rises)
}
