//! How a turn is handed over: the variable that alone says which of two players decides, and the value of it with which the
//! other one does.
//!
//! Searches ask what a position would be worth if who is on turn did nothing at all (null move). That is told by the position
//! that differs from it in who is on turn and in nothing else, whether or not the rules let anybody pass. Of the values of the
//! variable those count that something gives it while a game is played, and the other player must decide with one of them only:
//! where it tells more than who is on turn, such as that a turn goes on, nothing is found for the values that this leaves open.

use rulec_ir::sorted::SortedSet;

use crate::ir::effects::Effects;
use crate::ir::visit::walk_block;
use crate::ir::walk::rewrite;
use crate::ir::{Const, Expr, ExprKind, Game, HandOver, Point, StmtKind, Type, VarId};

use super::simplify::Simplifier;

/// Values of the variable at most.
const MOST: usize = 256;

/// Looks for it in a game whose process has become a machine, and notes it.
pub fn find(game: &mut Game) {
    game.hand_over = found(game);
}

fn found(game: &Game) -> Option<HandOver> {
    let machine = game.machine.as_ref()?;
    let [Point::Choose(choose)] = &machine.points[..] else {
        return None;
    };
    // What lives across a decision belongs to whose turn it is.
    if game.domain(game.players).len() != 2 || !machine.saved.is_empty() {
        return None;
    }
    let var = only_variable(&choose.players)?;
    let effects = Effects::of(game);
    let question = Question {
        game,
        var,
        simplifier: Simplifier {
            game,
            effects: &effects,
        },
    };
    let values = values(game, &game.var(var).ty)?;
    let given = question.given(&values);
    let player = |value: &Const| question.player(&choose.players, value);
    let next = |value: &Const| -> Option<(Const, Const)> {
        let other = 1 - player(value)?;
        let mut fits = given.iter().filter(|v| player(v) == Some(other));
        let only = fits.next()?;
        fits.next().is_none().then(|| (value.clone(), only.clone()))
    };
    let values: Vec<(Const, Const)> = values.iter().filter_map(next).collect();
    (!values.is_empty()).then_some(HandOver { var, values })
}

/// The plain variable that an expression reads and beside which it depends on nothing that changes.
fn only_variable(expr: &Expr) -> Option<VarId> {
    let mut vars = SortedSet::new();
    let mut others = false;
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Var(var, index) if index.is_empty() => {
            vars.insert(*var);
        }
        ExprKind::Const(_)
        | ExprKind::Lookup(..)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::If(..)
        | ExprKind::Ordinal(_)
        | ExprKind::Member(..)
        | ExprKind::Some(_)
        | ExprKind::Get(_)
        | ExprKind::SetOf(_) => {}
        _ => others = true,
    });
    let only = vars.pop_first()?;
    (vars.is_empty() && !others).then_some(only)
}

/// All values of a small type.
fn values(game: &Game, ty: &Type) -> Option<Vec<Const>> {
    match ty {
        Type::Bool => Some([false, true].map(Const::Bool).to_vec()),
        Type::Int { lo, hi } => {
            let range = usize::try_from(hi.checked_sub(*lo)?).ok()?;
            (range < MOST).then(|| (*lo..=*hi).map(Const::Int).collect())
        }
        Type::Elem(domain) => {
            let members = game.domain(*domain).len();
            (members <= MOST).then(|| (0..members as u32).map(Const::Elem).collect())
        }
        _ => None,
    }
}

/// What is asked of the values of a variable.
struct Question<'g> {
    game: &'g Game,
    var: VarId,
    simplifier: Simplifier<'g>,
}

impl Question<'_> {
    /// What an expression comes to where the variable has a value, if that alone says it.
    fn value(&self, expr: &Expr, value: &Const) -> Option<Const> {
        let mut known = expr.clone();
        rewrite(&mut known, &mut |part| {
            if matches!(&part.kind, ExprKind::Var(var, _) if *var == self.var) {
                part.kind = ExprKind::Const(value.clone());
            }
        });
        self.simplifier.expr(&mut known);
        known.as_const().cloned()
    }

    /// The one player who decides where the variable has a value.
    fn player(&self, players: &Expr, value: &Const) -> Option<u32> {
        match self.value(players, value)? {
            Const::Elem(player) => Some(player),
            Const::Set(players) => match players[..] {
                [player] => Some(player),
                _ => None,
            },
            _ => None,
        }
        .filter(|player| *player < 2)
    }

    /// The values that some statement gives it, as far as that can be told; else all.
    fn given(&self, all: &[Const]) -> Vec<Const> {
        let mut given = SortedSet::new();
        let mut unknown = false;
        let mut look = |expr: &Expr| match expr.as_const() {
            Some(value) => given.extend(all.iter().position(|v| v == value)),
            None => {
                for value in all {
                    match self.value(expr, value) {
                        Some(next) => given.extend(all.iter().position(|v| *v == next)),
                        None => unknown = true,
                    }
                }
            }
        };
        let mut stmt = |stmt: &crate::ir::Stmt| {
            if let StmtKind::SetVar(var, _, value) = &stmt.kind
                && *var == self.var
            {
                look(value);
            }
        };
        for function in &self.game.functions {
            walk_block(&function.body, &mut stmt);
        }
        if let Some(machine) = &self.game.machine {
            for point in &machine.points {
                match point {
                    Point::Choose(choose) => {
                        choose.blocks(&mut |block| walk_block(block, &mut stmt))
                    }
                    Point::Chance(_, block) => walk_block(block, &mut stmt),
                }
            }
        }
        match unknown {
            true => all.to_vec(),
            false => given.into_iter().map(|at| all[at].clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::{FunctionBuilder, GameBuilder};
    use crate::ir::{Arm, BinaryOp, Choose, Family, FamilyId, Stmt, TextPart};
    use crate::opt::suspend;
    use crate::source::Span;

    fn span() -> Span {
        Span::default()
    }

    /// A family of moves without parameters.
    fn family(builder: &mut GameBuilder) -> FamilyId {
        builder.family(Family {
            name: "go".to_owned(),
            context: Vec::new(),
            params: Vec::new(),
            guard: None,
            after: None,
            effect: None,
            rank: None,
            class: Vec::new(),
            text: vec![TextPart::Text("go".to_owned())],
            span: span(),
        })
    }

    /// What is found in a game in which a variable of some values says who decides, and what each move makes of it.
    fn hand_over(
        values: u32,
        players: impl FnOnce(&Expr, crate::ir::DomainId) -> Expr,
        next: impl FnOnce(&Expr, &Type) -> Expr,
    ) -> Vec<(u32, u32)> {
        let mut builder = GameBuilder::new("turns", "none", &["a", "b"]);
        let names = (0..values).map(|n| format!("p{n}")).collect();
        let domain = builder.names("Phase", names, span());
        let ty = Type::Elem(domain);
        let phase = builder.var("phase", vec![], ty.clone(), Const::Elem(0), span());
        let now = Expr::var(&builder.game, phase, vec![], span());
        let go = family(&mut builder);
        let choose = Choose {
            players: players(&now, builder.game.players),
            arms: vec![Arm {
                family: go,
                given: Vec::new(),
                bind: Vec::new(),
                body: Vec::new(),
            }],
            otherwise: None,
        };
        let turn = vec![
            Stmt::new(StmtKind::Choose(choose), span()),
            Stmt::set_var(phase, vec![], next(&now, &ty)),
        ];
        let forever = StmtKind::While {
            cond: Expr::bool(true, span()),
            bound: u32::MAX,
            body: turn,
        };
        let process = FunctionBuilder::new("process", None, span());
        let process = process.body(vec![Stmt::new(forever, span())]);
        builder.game.process = builder.function(process);
        let mut game = builder.game;
        suspend::run(&mut game);
        find(&mut game);
        let values = game.hand_over.map_or(Vec::new(), |found| found.values);
        let number = |value: &Const| match value {
            Const::Elem(member) => *member,
            _ => u32::MAX,
        };
        values.iter().map(|(a, b)| (number(a), number(b))).collect()
    }

    fn is(now: &Expr, phase: u32) -> Expr {
        let phase = Expr::constant(Const::Elem(phase), now.ty.clone(), span());
        Expr::binary(BinaryOp::Eq, now.clone(), phase)
    }

    #[test]
    fn the_value_with_which_the_other_player_decides_is_found_however_it_is_spelled() {
        let of = |value: u32, ty: &Type| Expr::constant(Const::Elem(value), ty.clone(), span());
        let player = |player, domain| Expr::elem(domain, player, span());
        // Two phases, told apart by either of them.
        let first = hand_over(
            2,
            |now, who| Expr::select(is(now, 0), player(0, who), player(1, who)),
            |now, ty| Expr::select(is(now, 0), of(1, ty), of(0, ty)),
        );
        let second = hand_over(
            2,
            |now, who| Expr::select(is(now, 1), player(1, who), player(0, who)),
            |now, ty| Expr::select(is(now, 1), of(0, ty), of(1, ty)),
        );
        assert_eq!(first, [(0, 1), (1, 0)]);
        assert_eq!(first, second);
        // A phase in which the game begins and to which it never comes back.
        let third = hand_over(
            3,
            |now, who| Expr::select(is(now, 1), player(1, who), player(0, who)),
            |now, ty| Expr::select(is(now, 1), of(2, ty), of(1, ty)),
        );
        assert_eq!(third, [(0, 1), (1, 2), (2, 1)]);
    }

    #[test]
    fn a_turn_of_two_phases_is_not_handed_over_to() {
        let of = |value: u32, ty: &Type| Expr::constant(Const::Elem(value), ty.clone(), span());
        let player = |player, domain| Expr::elem(domain, player, span());
        let found = hand_over(
            3,
            |now, who| Expr::select(is(now, 0), player(0, who), player(1, who)),
            |now, ty| {
                let rest = Expr::select(is(now, 1), of(2, ty), of(0, ty));
                Expr::select(is(now, 0), of(1, ty), rest)
            },
        );
        assert_eq!(found, [(1, 0), (2, 0)]);
    }
}
