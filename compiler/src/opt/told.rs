//! Conditions that have one answer whatever is looked up in them: a table has so many values, and all of them compare alike. What
//! holds of all members that there can be, and not where there is none, asks whether there is one.
//!
//! Whose piece stands somewhere is one of two players, so that it is more than zero says nothing but that a piece stands there.

use super::facts::{Conditions, parts};
use super::locals::bound_in;
use crate::ir::effects::{Effects, may_fault};
use crate::ir::same::same;
use crate::ir::value;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Game, Type, UnaryOp};

/// Values beyond this are not followed.
const FEW: usize = 16;
/// Operations that are followed into their operands.
const DEPTH: usize = 4;

/// What is known of a game.
pub(super) struct Rules<'a> {
    /// The game. Its functions may be missing.
    pub game: &'a Game,
    /// The effects of its functions.
    pub effects: &'a Effects,
}

/// Puts what they come to in the place of conditions, the root's or those that are asked behind its first one; whether there were
/// any.
pub(super) fn use_values(rules: &Rules<'_>, expr: &mut Expr) -> bool {
    match &mut expr.kind {
        ExprKind::Binary(op, ..) if is_comparison(*op) => answer(rules, expr, &Vec::new()),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let found = behind(rules, b, &parts(a, *op == BinaryOp::And));
            found || answer(rules, expr, &Vec::new())
        }
        ExprKind::If(cond, yes, no) => {
            let found = behind(rules, yes, &parts(cond, true));
            behind(rules, no, &parts(cond, false)) || found
        }
        _ => false,
    }
}

/// The same in a condition that is asked where others hold, or do not.
fn behind(rules: &Rules<'_>, cond: &mut Expr, known: &Conditions<'_>) -> bool {
    match &mut cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => behind(rules, inner, known),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let first = behind(rules, a, known);
            let mut more = known.clone();
            more.extend(parts(a, *op == BinaryOp::And));
            let second = behind(rules, b, &more);
            first || second || answer(rules, cond, known)
        }
        ExprKind::Binary(op, ..) if is_comparison(*op) => answer(rules, cond, known),
        _ => false,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// Puts what a condition comes to in its place: its one answer, or whether something is there. Nothing in it can go wrong then.
fn answer(rules: &Rules<'_>, expr: &mut Expr, known: &Conditions<'_>) -> bool {
    let told = match answers(rules, expr) {
        Some(all) if all.iter().all(|answer| *answer == all[0]) => {
            Some(Expr::constant(all[0].clone(), Type::Bool, expr.span))
        }
        Some(_) => is_there(rules, expr),
        None => None,
    };
    match told {
        Some(told) if is_free_where(rules, expr, known) => {
            *expr = told;
            true
        }
        _ => false,
    }
}

/// Whether evaluating an expression can neither fault nor spend work where conditions hold, or do not.
fn is_free_where(rules: &Rules<'_>, expr: &Expr, known: &Conditions<'_>) -> bool {
    let effect = rules.effects.expr(rules.game, expr);
    if effect.works || effect.fails || !effect.calls.is_empty() {
        return false;
    }
    let is_there = |member: &Expr| {
        let mut tests = known.iter();
        tests.any(|(fact, holds)| match &fact.kind {
            ExprKind::IsSome(tested) => *holds && same(tested, member),
            _ => false,
        })
    };
    let mut free = true;
    expr.walk(&mut |part| {
        let known = match &part.kind {
            ExprKind::Get(member) => is_there(member),
            _ => false,
        };
        // What is bound inside has other values there.
        free &= (known || !may_fault(rules.game, part)) && bound_in(part).is_none();
    });
    free || !effect.may_fault
}

/// The answers of a condition on what is looked up at one point of a table, or at two: for each value that may stand there.
fn answers(rules: &Rules<'_>, cond: &Expr) -> Option<Vec<Const>> {
    let mut leaves = Vec::new();
    look_ups(cond, DEPTH, &mut leaves)?;
    let stands = |leaf: &&Expr| values(rules, leaf);
    let values: Vec<Vec<&Const>> = leaves.iter().map(stands).collect::<Option<_>>()?;
    let told = |all: &[&Const]| {
        let known = |part: &Expr| {
            let at = leaves.iter().position(|leaf| same(leaf, part))?;
            Some(all[at].clone())
        };
        value::partial(rules.game, cond, &known)
    };
    match values.as_slice() {
        [one] => one.iter().map(|&a| told(&[a])).collect(),
        [one, other] => {
            let pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| [a, b]));
            pairs.map(|pair| told(&pair)).collect()
        }
        _ => None,
    }
}

/// The look-ups that an expression depends on, each once, unless it depends on more than two or on anything else.
fn look_ups<'e>(expr: &'e Expr, depth: usize, found: &mut Vec<&'e Expr>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    match &expr.kind {
        ExprKind::Const(_) => Some(()),
        ExprKind::Lookup(..) => {
            if !found.iter().any(|other| same(other, expr)) {
                found.push(expr);
            }
            (found.len() <= 2).then_some(())
        }
        ExprKind::ToWrap(a) | ExprKind::ToInt(a) | ExprKind::Unary(_, a) => {
            look_ups(a, depth, found)
        }
        ExprKind::Binary(_, a, b) => {
            look_ups(a, depth, found)?;
            look_ups(b, depth, found)
        }
        _ => None,
    }
}

/// The values that a look-up may give, if those are few.
fn values<'g>(rules: &Rules<'g>, look_up: &Expr) -> Option<Vec<&'g Const>> {
    let ExprKind::Lookup(table, _) = &look_up.kind else {
        return None;
    };
    let table = rules.game.table(*table);
    let mut all = Vec::new();
    for value in table.values.iter().chain(&table.outside) {
        if !all.contains(&value) {
            all.push(value);
        }
        if all.len() > FEW {
            return None;
        }
    }
    Some(all)
}

/// A condition on what a table says of a member, if there is one, that comes to the same for every member, and to the opposite where
/// there is none: it asks whether there is one.
fn is_there(rules: &Rules<'_>, cond: &Expr) -> Option<Expr> {
    let mut leaves = Vec::new();
    look_ups(cond, DEPTH, &mut leaves)?;
    let [leaf] = leaves.as_slice() else {
        return None;
    };
    let ExprKind::Lookup(table, index) = &leaf.kind else {
        return None;
    };
    let [member] = index.as_slice() else {
        return None;
    };
    let table = rules.game.table(*table);
    let (Type::Opt(_), Some(outside)) = (&member.ty, &table.outside) else {
        return None;
    };
    let told = |value: &Const| {
        let known = |part: &Expr| same(leaf, part).then(|| value.clone());
        value::partial(rules.game, cond, &known)
    };
    let first = table.values.first()?;
    let there = told(first)?;
    let none = told(outside)?;
    let mut others = table.values.iter().filter(|value| *value != first);
    if there == none || !others.all(|value| told(value).as_ref() == Some(&there)) {
        return None;
    }
    let asks = member.clone().is_some();
    Some(match there {
        Const::Bool(true) => asks,
        _ => asks.not(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::GameBuilder;
    use crate::ir::{
        Axis, DomainId, LocalId, Placement, PlacementForm, PlacementId, Table, TableId,
    };
    use crate::opt::simplify::Simplifier;
    use crate::source::Span;

    /// Pieces of two players on a few places.
    fn pieces() -> Game {
        let span = Span::default();
        let mut builder = GameBuilder::new("pieces", "none", &["a"]);
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
        let pieces = builder.names("Piece", names(&["x", "y"]), span);
        let places = builder.names("Place", names(&["p", "q", "r"]), span);
        builder.placement(Placement {
            name: "at".to_owned(),
            pieces,
            places,
            form: PlacementForm::One,
            init: vec![Some(0), Some(1)],
            span,
        });
        let owners = vec![Const::Int(1), Const::Int(2)];
        let mut table = |name: &str, outside| {
            builder.table(Table {
                name: name.to_owned(),
                axes: vec![Axis::Domain(pieces)],
                ty: Type::Int { lo: -1, hi: 2 },
                values: owners.clone(),
                outside,
                span,
            });
        };
        table("owner", None);
        table("owner or none", Some(Const::Int(-1)));
        builder.game
    }

    fn there(game: &Game) -> Expr {
        let place = Expr::local(LocalId(0), Type::Elem(DomainId(2)), Span::default());
        Expr::content(game, PlacementId(0), place)
    }

    fn simplified(game: &Game, mut expr: Expr) -> Expr {
        let effects = Effects::of(game);
        let rules = Simplifier {
            game,
            effects: &effects,
        };
        rules.expr(&mut expr);
        expr
    }

    #[test]
    fn whether_a_piece_has_an_owner_asks_whether_it_is_there() {
        let game = pieces();
        let span = Span::default();
        let content = there(&game);
        let asked = content.clone().is_some();
        let number = |value| Expr::int(value, span);
        let owner = Expr::lookup(&game, TableId(0), vec![content.clone().get()], span);
        let or_none = Expr::lookup(&game, TableId(1), vec![content], span);
        let chosen = Expr::select(asked.clone(), owner, number(-1));
        let one = chosen.clone().equals(number(1));
        let spellings = [
            Expr::binary(BinaryOp::Gt, chosen.clone(), number(0)),
            Expr::binary(BinaryOp::Lt, number(0), or_none.clone()),
            one.or(chosen.clone().equals(number(2))),
            or_none.equals(number(-1)).not(),
        ];
        for spelling in spellings {
            let found = simplified(&game, spelling.clone());
            assert!(same(&found, &asked), "{spelling:?}: {found:?}");
        }
        let one = simplified(&game, chosen.equals(number(1)));
        assert!(!same(&one, &asked), "one of two owners is asked for");
    }

    #[test]
    fn what_may_go_wrong_is_asked() {
        let game = pieces();
        let span = Span::default();
        let owner = Expr::lookup(&game, TableId(0), vec![there(&game).get()], span);
        let asked = Expr::binary(BinaryOp::Gt, owner, Expr::int(0, span));
        let found = simplified(&game, asked);
        let compares = matches!(found.kind, ExprKind::Binary(BinaryOp::Gt, ..));
        assert!(compares, "there may be no piece: {found:?}");
    }
}
