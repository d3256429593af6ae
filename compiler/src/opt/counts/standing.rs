//! The places on which something stands that meets a condition, where pieces keep their names.

use crate::board::contents::{Cases, Contents, Mask};
use crate::ir::effects::Effects;
use crate::ir::same::same;
use crate::ir::walk::rewrite;
use crate::ir::{
    BinaryOp, Const, Expr, ExprKind, Game, Local, LocalId, PlacementForm, PlacementId, Type,
};
use crate::opt::patterns::explore::Explorer;
use crate::opt::questions::tell_vars;
use crate::opt::rays::standing::{Sets, Standing};
use crate::opt::rays::tracked;

/// The set of the places that meet a condition which is asked of a place `member` and never faults, with the variables of the
/// function that is looked at and those that the set needs; nothing where more decides than what stands on the place and variables
/// with few values.
pub(super) fn places(
    game: &mut Game,
    effects: &Effects,
    member: LocalId,
    when: &Expr,
    locals: Vec<Local>,
) -> Option<(Expr, Vec<Local>)> {
    let placement = only_placement(game, when, member)?;
    let reads = effects.expr(game, when).reads.vars;
    let vars = tracked(game, placement, &reads);
    let board = Explorer::tracking(game, effects, placement, vars).board();
    let mut cases = Cases::default();
    tell_vars(game, &reads, when.span, &mut cases);
    let standing = Standing {
        placement,
        board,
        cases,
    };
    let mask = mask(game, &standing, member, when)?;
    let mut sets = Sets::new(game, &standing, Vec::new(), locals, when.span);
    let set = sets.standing_now(&mask)?;
    Some((set, sets.locals))
}

/// The placement with room for one piece on a place of which a condition asks what stands on a place.
fn only_placement(game: &Game, when: &Expr, member: LocalId) -> Option<PlacementId> {
    let mut all: Vec<PlacementId> = Vec::new();
    when.walk(&mut |expr| {
        if let ExprKind::Content(placement, place) = &expr.kind
            && place.kind == ExprKind::Local(member)
        {
            all.push(*placement);
        }
    });
    all.dedup();
    match all[..] {
        [placement] if game.placement(placement).form == PlacementForm::One => Some(placement),
        _ => None,
    }
}

/// The contents of a place with which a condition holds, in each case.
fn mask(game: &Game, standing: &Standing, member: LocalId, when: &Expr) -> Option<Mask> {
    let contents = &standing.board.contents;
    let mut holds: Vec<Vec<bool>> = vec![Vec::new(); standing.cases.count()];
    for at in 0..=contents.len() {
        let content = contents.get(at).map(|(piece, known)| (*piece, &known[..]));
        let known = with_content(game, standing, member, when, content);
        let known = asked(game, &standing.cases, &known);
        let values = standing.cases.values(game, &known)?;
        for (holds, value) in holds.iter_mut().zip(values) {
            holds.push(value == Const::Bool(true));
        }
    }
    Some(holds.iter().map(|holds| Contents::of(holds)).collect())
}

/// A condition on a place on which this stands.
fn with_content(
    game: &Game,
    standing: &Standing,
    member: LocalId,
    when: &Expr,
    content: Option<(u32, &[Const])>,
) -> Expr {
    let place = Type::Elem(game.placement(standing.placement).places);
    let stands = Expr::content(
        game,
        standing.placement,
        Expr::local(member, place, when.span),
    );
    let piece = stands.clone().get();
    let mut known = when.clone();
    if let Some((_, values)) = content {
        let vars = standing.board.tracked.iter().zip(values);
        let vars = vars.map(|(var, value)| {
            let held = Expr::var(game, *var, vec![piece.clone()], when.span);
            (held, value)
        });
        let vars: Vec<(Expr, &Const)> = vars.collect();
        rewrite(&mut known, &mut |expr| {
            if let Some((_, value)) = vars.iter().find(|(held, _)| same(held, expr)) {
                *expr = Expr::constant((*value).clone(), expr.ty.clone(), expr.span);
            }
        });
    }
    let content = content.map_or(Const::None, |(piece, _)| Const::Elem(piece));
    rewrite(&mut known, &mut |expr| {
        if same(expr, &stands) {
            *expr = Expr::constant(content.clone(), expr.ty.clone(), expr.span);
        }
    });
    known
}

/// A condition without the parts that are not asked, in whichever case.
fn asked(game: &Game, cases: &Cases, cond: &Expr) -> Expr {
    let always = |expr: &Expr| {
        let values = cases.values(game, expr)?;
        let first = values.first()?.clone();
        values.iter().all(|value| *value == first).then_some(first)
    };
    let mut cond = cond.clone();
    match &mut cond.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            **a = asked(game, cases, a);
            let decides = Const::Bool(*op == BinaryOp::Or);
            if always(a) == Some(decides.clone()) {
                return Expr::constant(decides, Type::Bool, cond.span);
            }
            **b = asked(game, cases, b);
        }
        ExprKind::If(test, yes, no) => {
            **test = asked(game, cases, test);
            match always(test) {
                Some(Const::Bool(true)) => return asked(game, cases, yes),
                Some(Const::Bool(false)) => return asked(game, cases, no),
                _ => {}
            }
            **yes = asked(game, cases, yes);
            **no = asked(game, cases, no);
        }
        _ => cond.children_mut(&mut |child| *child = asked(game, cases, child)),
    }
    cond
}
