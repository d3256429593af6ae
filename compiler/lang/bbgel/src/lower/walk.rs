//! Turns and steps.
//!
//! A step that asks for nothing is an entry of a table. From every field the table leads as far as the next one whose
//! commands run on every pass or whose way depends on something, so that most rolls are one look-up.

use super::fields::table;
use super::known::truth;
use super::{Lower, arith, compare, int, select};
use crate::ast::{self, ExprKind as A, Name};
use crate::check::Dest;
use crate::ir::{
    Axis, BinaryOp, Const, CounterId, Emit, EndReason, Expr, ExprKind, PlacementId, Snapshot,
    SnapshotId, Stmt, StmtKind, TableId, Type, VarId,
};
use crate::source::Span;
use crate::world::Cost;

/// Most steps that one look-up makes, and most entries of the table.
const MAX_RUN: i64 = 24;
const MAX_ENTRIES: usize = 20_000;

/// Steps of one turn, beyond three for every field, from which on the step limit means that a walk has no end.
const ENDLESS: i64 = 40;

/// The tables of a walk.
pub(super) struct Ways {
    /// Steps that ask for nothing, by place.
    run: TableId,
    /// Where such steps lead, by place and number.
    walk: TableId,
    /// The places that they come to, by place and number.
    passed: TableId,
    /// Most of them.
    most: i64,
    /// What such steps cost, by place and number, where some cost more than others.
    toll: Option<TableId>,
}

/// What these tables say.
struct Runs {
    lengths: Vec<Const>,
    walks: Vec<Const>,
    passed: Vec<Const>,
    tolls: Option<Vec<i64>>,
}

/// Something that a rollback gives back.
pub(super) enum Saved {
    Cell(VarId, Vec<Expr>, Expr),
    Token(Expr, Expr),
    Slot(SnapshotId),
}

/// All that a rollback gives back.
#[derive(Default)]
pub(super) struct SavedTurn(pub(super) Vec<Saved>);

impl Lower<'_> {
    pub(super) fn turns(&mut self) {
        self.before_turns();
        self.tell_time();
        let ways = self.ways();
        let acts = self.acts();
        let span = self.world.span;
        self.span = span;
        let body = self.block(|this| this.turn(&ways, &acts));
        self.emit(forever(span, body), span);
    }

    fn ways(&mut self) -> Ways {
        let span = self.world.span;
        let watched = self.end_condition.as_ref();
        let watched = watched.is_some_and(|cond| !self.reads_globals_only(cond));
        let single_steps = self.back || watched || self.tokens > 1;
        let most = match single_steps {
            true => 1,
            false => self.die.clamp(1, MAX_RUN),
        };
        let fits = (MAX_ENTRIES / self.board.places.len().max(1)) as i64;
        let most = most.min(fits.max(1));
        let found = self.runs(most);
        let place = Axis::Domain(self.ids.place);
        let steps = Axis::Range { lo: 0, hi: most };
        let mut made = |name: &str, axes: &[Axis], ty: Type, values: Vec<Const>| {
            self.b.table(table(name, axes.to_vec(), ty, values, span))
        };
        let lengths = Type::Int { lo: 0, hi: most };
        let run = made("run", &[place], lengths, found.lengths);
        let ty = Type::Elem(self.ids.place);
        let walk = made("walk", &[place, steps], ty, found.walks);
        let toll = found.tolls.map(|tolls| {
            let hi = tolls.iter().copied().max().unwrap_or(0);
            let tolls = tolls.into_iter().map(Const::Int).collect();
            made("toll", &[place, steps], Type::Int { lo: 0, hi }, tolls)
        });
        let ty = Type::Seq {
            item: Box::new(Type::Elem(self.ids.place)),
            cap: most as u32,
        };
        let passed = made("passed", &[place, steps], ty, found.passed);
        Ways {
            run,
            walk,
            passed,
            most,
            toll,
        }
    }

    /// Where steps lead that ask for nothing, from every place.
    fn runs(&mut self, most: i64) -> Runs {
        let count = self.board.places.len();
        let next: Vec<Option<(usize, i64)>> = (0..count).map(|at| self.only_way(at)).collect();
        let quiet: Vec<Option<i64>> = (0..count).map(|at| self.cost_of_passing(at)).collect();
        let step = self.costs[Cost::Goto as usize];
        let (mut lengths, mut walks, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        let (mut tolls, mut alike) = (Vec::new(), true);
        for start in 0..count {
            let (mut at, mut steps, mut toll) = (start, 0, 0);
            let mut passing = Some(0);
            walks.push(Const::Elem(start as u32));
            tolls.push(0);
            while steps < most
                && let (Some((to, asked)), Some(pass)) = (next[at], passing)
            {
                alike &= asked + pass == 0;
                toll += step + asked + pass;
                at = to;
                steps += 1;
                walks.push(Const::Elem(at as u32));
                tolls.push(toll);
                passing = quiet[at];
            }
            lengths.push(Const::Int(steps));
            let from = walks.len() - steps as usize;
            let way: Vec<Const> = walks[from..].to_vec();
            let parts = (0..=most as usize).map(|count| way[..count.min(way.len())].to_vec());
            passed.extend(parts.map(Const::Seq));
            walks.extend((steps..most).map(|_| Const::Elem(at as u32)));
            tolls.extend((steps..most).map(|_| toll));
        }
        Runs {
            lengths,
            walks,
            passed,
            tolls: (!alike).then_some(tolls),
        }
    }

    /// Whether a condition reads only what commands on fields change for all players alike.
    fn reads_globals_only(&self, cond: &ast::Expr) -> bool {
        let mut only = true;
        cond.each(&mut |part| {
            only &= match &part.kind {
                A::Name(Name { of: None, name, .. }) => {
                    self.vars.iter().all(|var| var.name != *name)
                        && self.globals.iter().any(|var| var.name == *name)
                }
                A::Int(_) | A::Bool(_) | A::NumPlayers => true,
                A::Unary(..) | A::Binary(..) | A::Ternary(..) => true,
                _ => false,
            };
        });
        only
    }

    /// Where a token goes that walks forward, and what it costs to ask, where the way depends on nothing.
    pub(super) fn only_way(&mut self, place: usize) -> Option<(usize, i64)> {
        let place = &self.board.places[place];
        let control = place.control.as_ref()?;
        match (&control.to[..], &place.program.code[control.stmt].kind) {
            ([Dest::Place(to)], _) => Some((*to, 0)),
            ([yes, no], ast::StmtKind::ControlIf(cond, ..)) => {
                let way = if truth(cond, self.players)? { yes } else { no };
                let Dest::Place(to) = way else { return None };
                Some((*to, self.time_of(cond)))
            }
            _ => None,
        }
    }

    /// What it costs to pass a place at which nothing happens in passing; nothing if anything may happen.
    fn cost_of_passing(&mut self, place: usize) -> Option<i64> {
        if !self.is_busy(place) {
            return Some(0);
        }
        let place = &self.board.places[place];
        if place.wins || !place.has_text {
            return None;
        }
        let mut time = 0;
        for stmt in place.normal() {
            match &stmt.kind {
                ast::StmtKind::Force | ast::StmtKind::GameStart(None) => {}
                ast::StmtKind::If(cond, _, None) if truth(cond, self.players) == Some(false) => {
                    time += self.time_of(cond);
                }
                _ => return None,
            }
        }
        Some(time)
    }

    /// The time that it takes to work out a condition that depends on nothing.
    fn time_of(&mut self, cond: &ast::Expr) -> i64 {
        let before = std::mem::take(&mut self.pending);
        self.blocks.push(Vec::new());
        let _: super::Low<Expr> = self.bool_of(cond, "a condition is a truth value");
        self.blocks.pop();
        std::mem::replace(&mut self.pending, before)
    }

    fn turn(&mut self, ways: &Ways, acts: &super::fields::Acts) {
        let span = self.span;
        let stopped = self.at_limit(span);
        self.when(stopped, |this| this.out_of_steps(span));
        self.count_up(self.ids.turns, int(1, span));
        self.sleeper(span);
        let me = self.me(span);
        self.count(self.ids.counters.turns, Some(me), span);
        self.cost(Cost::Roll);
        let rolled = self.draw(int(self.die.max(1), span), span);
        self.push(Stmt::assign(self.ids.left, rolled));
        self.tell_time();
        let steps = self.var(self.ids.steps, vec![], span);
        self.push(Stmt::set_var(self.ids.began, vec![], steps));
        let saved = self.save(span);
        let body = self.block(|this| this.step(ways, acts, saved));
        self.emit(forever(span, body), span);
        self.end_turn(span);
        self.tell_time();
    }

    fn at_limit(&self, span: Span) -> Expr {
        let steps = self.var(self.ids.steps, vec![], span);
        let limit = self.var(self.ids.limit, vec![], span);
        compare(BinaryOp::Ge, steps, limit)
    }

    fn out_of_steps(&mut self, span: Span) {
        let winners = Expr::constant(Const::Set(vec![]), Type::Set(self.player_domain()), span);
        self.emit(
            StmtKind::End {
                reason: EndReason::Limit,
                winners,
            },
            span,
        );
    }

    /// A player who sleeps passes the turn on.
    fn sleeper(&mut self, span: Span) {
        let Some(asleep) = self.ids.suspended else {
            return;
        };
        let rounds = self.var(asleep, vec![self.me(span)], span);
        let some = compare(BinaryOp::Gt, rounds.clone(), int(0, span));
        self.when(some, |this| {
            let me = this.me(span);
            this.count(this.ids.counters.suspended, Some(me.clone()), span);
            let least = arith(BinaryOp::Max, rounds, int(1, span));
            let less = arith(BinaryOp::Sub, least, int(1, span));
            this.push(Stmt::set_var(asleep, vec![me], less));
            this.count_up(this.ids.steps, int(1, span));
            this.end_turn(span);
            this.tell_time();
            this.emit(StmtKind::Continue, span);
        });
    }

    fn end_turn(&mut self, span: Span) {
        self.cost(Cost::Advance);
        let next = Expr::lookup(&self.b.game, self.ids.next, vec![self.me(span)], span);
        self.push(Stmt::set_var(self.ids.turn, vec![], next));
    }

    fn placement(&self) -> PlacementId {
        self.ids.at.unwrap_or(PlacementId::from(0_usize))
    }

    fn step(&mut self, ways: &Ways, acts: &super::fields::Acts, saved: SavedTurn) {
        let span = self.span;
        let stopped = self.at_limit(span);
        self.when(stopped, |this| {
            let steps = this.var(this.ids.steps, vec![], span);
            let began = this.var(this.ids.began, vec![], span);
            let walked = arith(BinaryOp::Sub, steps, began);
            let bound = this.board.places.len() as i64 * 3 + ENDLESS;
            let endless = compare(BinaryOp::Ge, walked, int(bound, span));
            this.when(endless, |this| {
                let at = this.where_now(span);
                let message = "the walk of this turn goes on and on, probably for ever";
                this.fault_at(at.get(), "max_steps", message);
            });
            this.out_of_steps(span);
        });
        let at = self.where_now(span);
        self.branch(
            at.clone().is_some(),
            |this| {
                this.push(Stmt::assign(this.ids.here, at.get()));
                match this.ids.past {
                    Some(past) => {
                        let left = this.get(this.ids.left, span);
                        let backward = compare(BinaryOp::Lt, left, int(0, span));
                        this.branch(
                            backward,
                            |this| this.walk_back(past, span),
                            |this| this.forward(ways, acts, span),
                        );
                    }
                    None => this.forward(ways, acts, span),
                }
            },
            |this| this.enter(span),
        );
        self.tell_left(span);
        self.check_win(span);
        self.arrive(acts, saved, span);
    }

    /// The place of the token of the current player.
    pub(super) fn where_now(&self, span: Span) -> Expr {
        Expr::place_of(&self.b.game, self.placement(), self.token(span))
    }

    fn enter(&mut self, span: Span) {
        let start = Expr::elem(self.ids.place, self.board.start as u32, span);
        self.push(Stmt::assign(self.ids.here, start));
        self.put_all(span);
        self.take_steps(int(1, span), span);
        self.visit(span);
    }

    /// Uses up steps.
    fn take_steps(&mut self, steps: Expr, span: Span) {
        let left = self.get(self.ids.left, span);
        self.push(Stmt::assign(
            self.ids.left,
            arith(BinaryOp::Sub, left, steps),
        ));
    }

    fn visit(&mut self, span: Span) {
        let here = self.get(self.ids.here, span);
        self.count(self.ids.counters.visits, Some(here), span);
    }

    pub(super) fn put_token(&mut self, span: Span) {
        let here = self.get(self.ids.here, span);
        let token = self.token(span);
        self.emit(StmtKind::Put(self.placement(), token, here), span);
    }

    /// Moves all tokens of the current player.
    fn put_all(&mut self, span: Span) {
        for number in 0..self.tokens {
            let here = self.get(self.ids.here, span);
            let token = self.token_number(number, span);
            self.emit(StmtKind::Put(self.placement(), token, here), span);
        }
    }

    fn token_number(&self, number: usize, span: Span) -> Expr {
        match self.ids.tokens {
            Some(table) => {
                let index = vec![self.me(span), int(number as i64, span)];
                Expr::lookup(&self.b.game, table, index, span)
            }
            None => self.me(span),
        }
    }

    fn forward(&mut self, ways: &Ways, acts: &super::fields::Acts, span: Span) {
        let here = self.get(self.ids.here, span);
        let run = Expr::lookup(&self.b.game, ways.run, vec![here.clone()], span);
        let count = match ways.most {
            1 => run,
            _ => {
                let left = self.get(self.ids.left, span);
                let steps = self.var(self.ids.steps, vec![], span);
                let limit = self.var(self.ids.limit, vec![], span);
                let room = arith(BinaryOp::Sub, limit, steps);
                let least = arith(BinaryOp::Min, run, left);
                let least = arith(BinaryOp::Min, least, room);
                arith(BinaryOp::Max, least, int(0, span))
            }
        };
        let count = self.keep("run", count);
        let free = compare(BinaryOp::Gt, count.clone(), int(0, span));
        self.branch(
            free,
            |this| this.run(ways, &here, &count, span),
            |this| this.ask_way(acts, span),
        );
    }

    fn run(&mut self, ways: &Ways, here: &Expr, count: &Expr, span: Span) {
        self.remember(span);
        self.count_run(ways, here, count, span);
        let from = self.crossing_from(here);
        let to = Expr::lookup(
            &self.b.game,
            ways.walk,
            vec![here.clone(), count.clone()],
            span,
        );
        self.push(Stmt::assign(self.ids.here, to));
        self.put_after_step(from, span);
        self.take_steps(count.clone(), span);
        let time = match ways.toll {
            Some(toll) => {
                let index = vec![here.clone(), count.clone()];
                Expr::lookup(&self.b.game, toll, index, span)
            }
            None => {
                let each = int(self.costs[Cost::Goto as usize], span);
                arith(BinaryOp::Mul, count.clone(), each)
            }
        };
        self.add_time(time);
        if ways.most > 1 {
            let least = arith(BinaryOp::Max, count.clone(), int(1, span));
            let more = arith(BinaryOp::Sub, least, int(1, span));
            self.count_up(self.ids.steps, more);
        }
    }

    /// Counts every place of a run.
    fn count_run(&mut self, ways: &Ways, here: &Expr, count: &Expr, span: Span) {
        let index = vec![here.clone(), count.clone()];
        let passed = Expr::lookup(&self.b.game, ways.passed, index, span);
        self.count(self.ids.counters.visits, Some(passed), span);
    }

    /// The place before a step, where a change of the tile moves other tokens too.
    fn crossing_from(&mut self, here: &Expr) -> Option<Expr> {
        (self.tokens > 1).then(|| self.keep("from", here.clone()))
    }

    pub(super) fn put_after_step(&mut self, from: Option<Expr>, span: Span) {
        let Some(from) = from else {
            return self.put_token(span);
        };
        let tile = self.tile_table();
        let here = self.get(self.ids.here, span);
        let of = |this: &Self, place: Expr| Expr::lookup(&this.b.game, tile, vec![place], span);
        let crossed = compare(BinaryOp::Ne, of(self, from), of(self, here));
        self.branch(
            crossed,
            |this| this.put_all(span),
            |this| this.put_token(span),
        );
    }

    fn tile_table(&mut self) -> TableId {
        let known = self
            .b
            .game
            .tables
            .iter()
            .position(|table| table.name == "tile");
        if let Some(known) = known {
            return TableId::from(known);
        }
        let places = self.board.places.iter();
        let tiles = places.map(|place| Const::Int(place.tile as i64)).collect();
        let most = self.world.tiles.len() as i64;
        let axes = vec![Axis::Domain(self.ids.place)];
        let ty = Type::Int { lo: 0, hi: most };
        self.b
            .table(table("tile", axes, ty, tiles, self.world.span))
    }

    /// A step over a place whose way depends on something, or that has none.
    fn ask_way(&mut self, acts: &super::fields::Acts, span: Span) {
        self.remember(span);
        let here = self.get(self.ids.here, span);
        let from = self.crossing_from(&here);
        self.leave(acts, span);
        self.put_after_step(from, span);
        self.take_steps(int(1, span), span);
        self.visit(span);
    }

    /// Remembers the place under the token, to walk back to it.
    pub(super) fn remember(&mut self, span: Span) {
        let Some((past, way, table)) = self.ids.past else {
            return;
        };
        let me = self.me(span);
        let count = self.var(way, vec![me.clone()], span);
        let count = self.keep("way", count);
        let room = compare(BinaryOp::Lt, count.clone(), int(super::state::MEMORY, span));
        let message = "a token cannot remember so many steps";
        self.check(room, "way_too_long", message, span);
        let at = arith(BinaryOp::Min, count, int(super::state::MEMORY - 1, span));
        let here = self.get(self.ids.here, span).some();
        let index = Expr::lookup(&self.b.game, table, vec![me.clone(), at.clone()], span);
        self.push(Stmt::set_var(past, vec![index], here));
        let more = arith(BinaryOp::Add, at, int(1, span));
        self.push(Stmt::set_var(way, vec![me], more));
    }

    fn walk_back(&mut self, (past, way, table): (VarId, VarId, TableId), span: Span) {
        let me = self.me(span);
        let count = self.var(way, vec![me.clone()], span);
        let none = compare(BinaryOp::Eq, count.clone(), int(0, span));
        self.when(none, |this| {
            let here = this.get(this.ids.here, span);
            let message = "the token cannot walk back: no step before this one is known";
            this.fault_at(here, "move_before_start", message);
        });
        let least = arith(BinaryOp::Max, count, int(1, span));
        let at = arith(BinaryOp::Sub, least, int(1, span));
        let at = self.keep("way", at);
        let index = vec![me.clone(), at.clone()];
        let index = vec![Expr::lookup(&self.b.game, table, index, span)];
        let before = self.var(past, index.clone(), span);
        self.push(Stmt::assign(self.ids.here, before.get()));
        let nothing = Expr::none(self.ids.place, span);
        self.push(Stmt::set_var(past, index, nothing));
        self.push(Stmt::set_var(way, vec![me], at));
        self.put_token(span);
        let left = self.get(self.ids.left, span);
        let more = arith(BinaryOp::Add, left, int(1, span));
        self.push(Stmt::assign(self.ids.left, more));
        self.cost(Cost::Goto);
        let here = self.get(self.ids.here, span);
        self.count(self.ids.counters.backward, Some(here), span);
        self.visit(span);
        self.tell_time();
    }

    /// The current player wins if the `endCondition` holds.
    pub(super) fn check_win(&mut self, span: Span) {
        if let Some(holds) = self.end_condition_holds() {
            self.when(holds, |this| this.win(span));
        }
    }

    pub(super) fn win(&mut self, span: Span) {
        self.tell_time();
        self.count_up(self.ids.steps, int(1, span));
        let me = self.me(span);
        let ty = Type::Set(self.player_domain());
        let winners = Expr::new(ExprKind::SetOf(vec![me]), ty, span);
        self.emit(
            StmtKind::End {
                reason: EndReason::Win,
                winners,
            },
            span,
        );
    }

    /// What happens where the token is now: forced commands, then those of landing.
    fn arrive(&mut self, acts: &super::fields::Acts, saved: SavedTurn, span: Span) {
        let ran = self.local("ran", Type::Bool);
        self.push(Stmt::assign(ran, Expr::bool(false, span)));
        self.saved = saved;
        self.forced(acts, ran, span);
        self.check_win(span);
        let none_left = |this: &Self| {
            let left = this.get(this.ids.left, span);
            compare(BinaryOp::Eq, left, int(0, span))
        };
        let done = none_left(self);
        self.when(done, |this| {
            let rolled_back = this.get(this.ids.rolled_back, span);
            let fresh = match this.has_rollback {
                true => rolled_back.not(),
                false => Expr::bool(true, span),
            };
            let landing = |this: &mut Self| {
                let again = this.get(ran, span).not();
                this.when(again, |this| this.landing(acts, span));
                this.check_win(span);
            };
            match this.has_rollback {
                true => this.when(fresh, landing),
                false => landing(this),
            }
            let done = none_left(this);
            this.when(done, |this| {
                this.count_up(this.ids.steps, int(1, span));
                this.emit(StmtKind::Break, span);
            });
        });
        self.count_up(self.ids.steps, int(1, span));
    }

    pub(super) fn count(&mut self, counter: CounterId, member: Option<Expr>, span: Span) {
        self.emit(StmtKind::Emit(Emit::Count(counter, member)), span);
    }

    /// Tells those who watch how many steps are left.
    pub(super) fn tell_left(&mut self, span: Span) {
        let left = self.get(self.ids.left, span);
        self.emit(
            StmtKind::Emit(Emit::Signal("left".to_owned(), vec![left])),
            span,
        );
    }

    /// Keeps what a rollback gives back, if there is one anywhere.
    fn save(&mut self, span: Span) -> SavedTurn {
        let mut saved = SavedTurn::default();
        if !self.has_rollback {
            return saved;
        }
        self.push(Stmt::assign(self.ids.rolled_back, Expr::bool(false, span)));
        let mut cells: Vec<(VarId, Vec<Expr>)> = Vec::new();
        for name in self.changed_names() {
            if let Some(cell) = self.plain_cell(&name) {
                cells.push(self.cell_var(&cell, span));
            }
        }
        let me = self.me(span);
        if let Some(asleep) = self.ids.suspended {
            for seat in 0..self.players {
                let seat = Expr::elem(self.player_domain(), seat as u32, span);
                cells.push((asleep, vec![seat]));
            }
        }
        if let Some(result) = &self.ids.result {
            cells.push((result.kind, vec![me.clone()]));
            cells.push((result.value, vec![me.clone()]));
        }
        cells.extend(self.ids.depth.map(|depth| (depth, vec![me.clone()])));
        for level in 0..self.scopes.height as i64 {
            let at = || self.scope_at(int(level, span), span);
            cells.extend(self.ids.limited.map(|limited| (limited, at())));
            for slot in 0..self.scopes.slots.len() {
                cells.push((self.ids.values[slot], at()));
                cells.extend(self.ids.present[slot].map(|present| (present, at())));
            }
        }
        for (var, index) in cells {
            let value = self.var(var, index.clone(), span);
            let value = self.keep("saved", value);
            saved.0.push(Saved::Cell(var, index, value));
        }
        for number in 0..self.tokens {
            let token = self.token_number(number, span);
            let place = Expr::place_of(&self.b.game, self.placement(), token.clone());
            let place = self.keep("was", place);
            saved.0.push(Saved::Token(token, place));
        }
        if let Some((past, way, _)) = self.ids.past {
            self.b.game.snapshots.push(Snapshot {
                name: "way".to_owned(),
                vars: vec![past, way],
                placements: Vec::new(),
            });
            let slot = SnapshotId::from(self.b.game.snapshots.len() - 1);
            self.emit(StmtKind::Snapshot(slot), span);
            saved.0.push(Saved::Slot(slot));
        }
        saved
    }

    /// Gives back what [`Lower::save`] kept.
    pub(super) fn restore(&mut self, span: Span) {
        let saved = std::mem::take(&mut self.saved);
        for item in &saved.0 {
            match item {
                Saved::Cell(var, index, value) => {
                    self.push(Stmt::set_var(*var, index.clone(), value.clone()));
                }
                Saved::Token(token, place) => {
                    let at = self.placement();
                    let put = StmtKind::Put(at, token.clone(), place.clone().get());
                    let take = StmtKind::Take(at, token.clone());
                    self.push(Stmt::branch(
                        place.clone().is_some(),
                        vec![Stmt::new(put, span)],
                        vec![Stmt::new(take, span)],
                    ));
                }
                Saved::Slot(slot) => self.emit(StmtKind::Restore(*slot), span),
            }
        }
        self.saved = saved;
    }

    /// The names that the commands of fields may change.
    fn changed_names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        for place in &self.board.places {
            ast::each_stmt(&place.program.code, &mut |stmt| {
                for expr in ast::exprs(stmt) {
                    for name in super::expr::changed(expr) {
                        if !names.iter().any(|n| n.of == name.of && n.name == name.name) {
                            names.push(name);
                        }
                    }
                }
            });
        }
        names
    }

    /// The player or global variable that a name means where no local one hides it.
    fn plain_cell(&self, name: &Name) -> Option<super::expr::Cell> {
        use super::expr::Cell;
        let var = self.vars.iter().position(|var| var.name == name.name);
        if let Some(who) = name.of {
            return var.map(|index| Cell::Player(index, who));
        }
        match var {
            Some(index) => Some(Cell::Player(index, ast::Who::Current)),
            None => {
                let global = self.globals.iter().position(|var| var.name == name.name);
                global.map(Cell::Global)
            }
        }
    }

    /// A fault that names the field that stands in an expression.
    fn fault_at(&mut self, place: Expr, code: &str, message: &str) {
        let place = self.keep("field", place.ordinal());
        let count = self.board.places.len();
        self.dispatch(&place, 0, count, &mut |this, index| {
            this.at_field(index);
            let (site, line) = (this.site.clone(), this.line);
            let place = &this.board.places[index];
            let control = place.control.as_ref();
            let span = control.map_or(place.span, |control| place.program.code[control.stmt].span);
            let text = format!("{code}: {message} ({site}, line {line})");
            this.push(Stmt::fault(text, span));
        });
    }

    /// One of several blocks by a number, as a tree of comparisons.
    pub(super) fn dispatch(
        &mut self,
        number: &Expr,
        from: usize,
        to: usize,
        lower: &mut dyn FnMut(&mut Self, usize),
    ) {
        if to - from <= 1 {
            if to > from {
                lower(self, from);
            }
            return;
        }
        let middle = from.midpoint(to);
        let less = compare(
            BinaryOp::Lt,
            number.clone(),
            int(middle as i64, number.span),
        );
        self.tell_time();
        self.blocks.push(Vec::new());
        self.dispatch(number, from, middle, lower);
        self.tell_time();
        let low = self.blocks.pop().unwrap_or_default();
        self.blocks.push(Vec::new());
        self.dispatch(number, middle, to, lower);
        self.tell_time();
        let high = self.blocks.pop().unwrap_or_default();
        self.push(Stmt::branch(less, low, high));
    }

    /// One of two places.
    pub(super) fn one_place(&self, cond: Expr, yes: usize, no: usize, span: Span) -> Expr {
        let place = |index: usize| Expr::elem(self.ids.place, index as u32, span);
        select(cond, place(yes), place(no))
    }
}

fn forever(span: Span, body: Vec<Stmt>) -> StmtKind {
    StmtKind::While {
        cond: Expr::bool(true, span),
        bound: u32::MAX,
        body,
    }
}
