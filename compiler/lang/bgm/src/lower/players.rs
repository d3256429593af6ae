//! Sets of players.

use super::super::model::{Players, PlayersBase};
use super::{Env, Lower};
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, Fold, FuncId, Over, Stmt, StmtKind, Table, TableId, Type,
};
use crate::source::Span;

/// What a set of players is.
pub(super) enum Group {
    /// One player, if this holds (or for certain).
    One(Expr, Option<Expr>),
    /// A set.
    Many(Expr),
}

impl Lower<'_> {
    /// The players of a set.
    pub(super) fn group(&mut self, env: &Env<'_>, players: &Players) -> Group {
        let span = players.span;
        let stays = players.left.is_empty();
        let (mut one, mut holds) = match players.base {
            PlayersBase::Acting => {
                let holds = (stays && !env.in_game).then(|| self.is_in_game(env.player.clone()));
                (env.player.clone().at(span), holds.flatten())
            }
            PlayersBase::Seat(seat) => {
                let player = Expr::elem(self.players(), seat as u32, span);
                let holds = stays.then(|| self.is_in_game(player.clone())).flatten();
                (player, holds)
            }
            PlayersBase::Former => match self.ids.former {
                Some(former) => {
                    let former = Expr::var(&self.out.game, former, Vec::new(), span);
                    let player = former.clone().get();
                    let inside = stays.then(|| self.is_in_game(player.clone())).flatten();
                    let holds = former.is_some();
                    let holds = match inside {
                        Some(inside) => holds.and(inside),
                        None => holds,
                    };
                    (player, Some(holds))
                }
                None => (env.player.clone(), Some(Expr::bool(false, span))),
            },
            PlayersBase::Active if self.inventory.one_active => (
                Expr::var(&self.out.game, self.ids.active, Vec::new(), span),
                None,
            ),
            PlayersBase::All if self.model.players.len() == 1 => {
                (Expr::elem(self.players(), 0, span), None)
            }
            PlayersBase::All => return Group::Many(self.everybody(span)),
            PlayersBase::Active => return self.active_neighbours(players),
        };
        for &left in &players.left {
            one = self.neighbour(one, left);
        }
        holds = holds.map(|holds| holds.at(span));
        Group::One(one, holds)
    }

    /// Neighbours of the active players.
    fn active_neighbours(&mut self, players: &Players) -> Group {
        let span = players.span;
        let domain = self.players();
        let mut set = Expr::var(&self.out.game, self.ids.active, Vec::new(), span);
        for &left in &players.left {
            let to = self.local("to", Type::Elem(domain));
            let from = self.local("from", Type::Elem(domain));
            let neighbour = self.neighbour(self.get(from, span), left);
            let same = neighbour.equals(self.get(to, span));
            let kind = ExprKind::Collect {
                local: to,
                over: Box::new(Over::Domain(domain)),
                when: Box::new(Expr::fold(Fold::Exists, from, Over::Set(set), same)),
            };
            set = Expr::new(kind, Type::Set(domain), span);
        }
        Group::Many(set)
    }

    /// A set of players as a set.
    pub(super) fn group_set(&mut self, group: Group) -> Expr {
        let domain = self.players();
        match group {
            Group::Many(set) => set,
            Group::One(player, holds) => {
                let span = player.span;
                let one = ExprKind::SetOf(vec![player]);
                let one = Expr::new(one, Type::Set(domain), span);
                match holds {
                    Some(holds) => Expr::select(holds, one, self.nobody(span)),
                    None => one,
                }
            }
        }
    }

    /// Whether a set of players has a member; nothing if that is certain.
    pub(super) fn somebody(&mut self, env: &Env<'_>, players: &Players) -> Option<Expr> {
        match self.group(env, players) {
            Group::One(_, holds) => holds,
            Group::Many(_) => None,
        }
    }

    /// No player.
    pub(super) fn nobody(&self, span: Span) -> Expr {
        Expr::constant(Const::Set(Vec::new()), Type::Set(self.players()), span)
    }

    /// All seats.
    pub(super) fn all_seats(&self, span: Span) -> Expr {
        let seats = (0..self.model.players.len() as u32).collect();
        Expr::constant(Const::Set(seats), Type::Set(self.players()), span)
    }

    /// All that are not out.
    pub(super) fn everybody(&self, span: Span) -> Expr {
        let all = self.all_seats(span);
        match self.ids.out {
            Some(out) => {
                let out = Expr::var(&self.out.game, out, Vec::new(), span);
                Expr::binary(BinaryOp::Minus, all, out)
            }
            None => all,
        }
    }

    /// Whether a player is not out, where that is in doubt.
    fn is_in_game(&self, player: Expr) -> Option<Expr> {
        let span = player.span;
        let out = Expr::var(&self.out.game, self.ids.out?, Vec::new(), span);
        Some(Expr::binary(BinaryOp::In, player, out).not())
    }

    /// The next player on the left or right who is not out.
    pub(super) fn neighbour(&mut self, player: Expr, left: bool) -> Expr {
        let span = player.span;
        if self.ids.out.is_none() {
            let table = self.seat_table(left);
            return Expr::lookup(&self.out.game, table, vec![player], span);
        }
        let func = match self.helpers.left[usize::from(left)] {
            Some(func) => func,
            None => {
                let func = self.neighbour_function(left);
                self.helpers.left[usize::from(left)] = Some(func);
                func
            }
        };
        Expr::call(&self.out.game, func, vec![player], span)
    }

    fn seat_table(&mut self, left: bool) -> TableId {
        if let Some(table) = self.helpers.left_table[usize::from(left)] {
            return table;
        }
        let (domain, seats) = (self.players(), self.model.players.len() as u32);
        let step = if left { 1 } else { seats - 1 };
        let values = (0..seats).map(|seat| Const::Elem((seat + step) % seats));
        let table = self.out.table(Table {
            name: if left { "left" } else { "right" }.to_owned(),
            axes: vec![Axis::Domain(domain)],
            ty: Type::Elem(domain),
            values: values.collect(),
            outside: None,
            span: self.model.span,
        });
        self.helpers.left_table[usize::from(left)] = Some(table);
        table
    }

    fn neighbour_function(&mut self, left: bool) -> FuncId {
        let table = self.seat_table(left);
        let span = self.model.span;
        let player = Type::Elem(self.players());
        let (name, doc) = match left {
            true => ("left_of", "The next player on the left who is not out."),
            false => ("right_of", "The next player on the right who is not out."),
        };
        let params = [("player", player.clone())];
        self.function(
            name,
            &params,
            Some(player.clone()),
            doc,
            span,
            |lower, args| {
                let next = lower.local("next", player);
                let value = lower.get(next, span);
                let step = |lower: &Self, from: Expr| {
                    Expr::lookup(&lower.out.game, table, vec![from], span)
                };
                let first = step(lower, args[0].clone());
                let again = step(lower, value.clone());
                let stays = value.clone().equals(args[0].clone());
                let passed = lower.is_in_game(value.clone()).map(Expr::not);
                let passed = passed.unwrap_or_else(|| Expr::bool(false, span));
                vec![
                    Stmt::assign(next, first),
                    Stmt::new(
                        StmtKind::While {
                            cond: stays.not().and(passed),
                            bound: lower.model.players.len() as u32 + 1,
                            body: vec![Stmt::assign(next, again)],
                        },
                        span,
                    ),
                    Stmt::give(value),
                ]
            },
        )
    }
}
