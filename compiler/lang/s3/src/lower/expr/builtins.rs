//! Functions of the language.

use super::super::Lower;
use super::super::names::Dom;
use super::super::value::{Absent, Repr, Text, Val};
use crate::ast::{Builtin, Expr as Ast};
use crate::ir::{BinaryOp as Ir, Block, Expr, Stmt, StmtKind, Type};
use crate::source::Span;

impl<'a> Lower<'a> {
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        args: &'a [Ast],
        span: Span,
        out: &mut Block,
    ) -> Val<'a> {
        if builtin.signature().changes_state {
            return self.change(builtin, args, span, true, out);
        }
        if builtin == Builtin::Player {
            return Val::Int(self.player_number(span));
        }
        if builtin == Builtin::Score {
            return self.score(&args[0], span, out);
        }
        if builtin == Builtin::IndexA {
            return self.index_a(&args[0], &args[1], span, out);
        }
        let text = self.text(&args[0], out);
        match builtin {
            Builtin::Empty => Val::Bool(self.empty(&text, span, out)),
            Builtin::Content => Val::Text(self.content(&text, span, out)),
            Builtin::Location => Val::Text(self.location_of(&text, span, out)),
            Builtin::LocType => Val::Text(self.type_of(&text, Dom::Location, span)),
            Builtin::ElType => Val::Text(self.type_of(&text, Dom::Element, span)),
            Builtin::State => Val::Int(self.cell(self.ids.state, &text, span, out)),
            Builtin::Owner => Val::Int(self.cell(self.ids.owner, &text, span, out)),
            Builtin::ZIndex => {
                let element = self.member(&text, Dom::Element, span);
                let element = self.present(element, "there is no such element", span, out);
                Val::Int(Expr::var(&self.out.game, self.ids.z, vec![element], span))
            }
            Builtin::Index => Val::Int(self.index(1, &text, span, out)),
            _ => Val::Text(self.unindex(&text, span, out)),
        }
    }

    /// The number of the player on move.
    pub(in super::super) fn player_number(&mut self, span: Span) -> Expr {
        let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        let table = self.player_number_table();
        Expr::lookup(&self.out.game, table, vec![turn], span)
    }

    /// A player by number; a fault if there is none.
    pub(in super::super) fn player(&mut self, number: Expr, span: Span, out: &mut Block) -> Expr {
        let count = self.game.players.len() as i32;
        let players = self.out.game.players;
        if let Some(crate::ir::Const::Int(value)) = number.as_const() {
            if (1..=i64::from(count)).contains(value) {
                return Expr::elem(players, (*value - 1) as u32, span);
            }
            self.fault("there is no such player", span, out);
            return Expr::elem(players, 0, span);
        }
        let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
        if number.kind == self.player_number(number.span).kind {
            return turn;
        }
        let number = self.share(number, out);
        let least = Expr::binary(Ir::Ge, number.clone(), Expr::wrap(1, span));
        let most = Expr::binary(Ir::Le, number.clone(), Expr::wrap(count, span));
        self.require(least.and(most), "there is no such player", span, out);
        let table = self.player_of_table();
        Expr::lookup(&self.out.game, table, vec![number], span)
    }

    fn score(&mut self, arg: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        let number = self.int(arg, out);
        let player = self.player(number, span, out);
        Val::Int(Expr::var(
            &self.out.game,
            self.ids.score,
            vec![player],
            span,
        ))
    }

    fn index_a(&mut self, which: &'a Ast, arg: &'a Ast, span: Span, out: &mut Block) -> Val<'a> {
        let (number, text) = self.pair(which, arg, out);
        let number = self.convert(number, &Repr::Int, which.span, out);
        let text = self.as_text(text, arg.span, out);
        Val::Int(match number.as_const() {
            Some(crate::ir::Const::Int(value)) => self.index(*value as i32, &text, span, out),
            _ => self.any_index(number, &text, span, out),
        })
    }

    /// What stands on a location: absent on an empty one and on what is none.
    fn content(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Text<'a> {
        let place = self.member(text, Dom::Location, span);
        let expr = match place.ty {
            Type::Elem(_) => Expr::content(&self.out.game, self.ids.at, place).at(span),
            _ if place.as_const().is_some() => Expr::none(Dom::Element.id(), span),
            _ => {
                let place = self.share(place, out);
                let content = Expr::content(&self.out.game, self.ids.at, place.clone().get());
                let nothing = Expr::none(Dom::Element.id(), span);
                Expr::select(place.is_some(), content.at(span), nothing).at(span)
            }
        };
        Text::Member(Dom::Element, Some(Absent::Empty), expr)
    }

    /// Whether a location is empty; true for what is none.
    fn empty(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Expr {
        let place = self.member(text, Dom::Location, span);
        if place.as_const().is_some() && matches!(place.ty, Type::Opt(_)) {
            return Expr::bool(true, span);
        }
        self.vacant(place, span, out)
    }

    /// Whether nothing stands on a location, present or not.
    fn vacant(&mut self, place: Expr, span: Span, out: &mut Block) -> Expr {
        if matches!(place.ty, Type::Elem(_)) {
            let content = Expr::content(&self.out.game, self.ids.at, place);
            return content.is_some().not().at(span);
        }
        let place = self.share(place, out);
        let content = Expr::content(&self.out.game, self.ids.at, place.clone().get());
        place.is_some().and(content.is_some()).not().at(span)
    }

    fn location_of(&mut self, text: &Text<'a>, span: Span, out: &mut Block) -> Text<'a> {
        let element = self.member(text, Dom::Element, span);
        let expr = match element.ty {
            Type::Elem(_) => Expr::place_of(&self.out.game, self.ids.at, element).at(span),
            _ if element.as_const().is_some() => Expr::none(Dom::Location.id(), span),
            _ => {
                let element = self.share(element, out);
                let place = Expr::place_of(&self.out.game, self.ids.at, element.clone().get());
                let nothing = Expr::none(Dom::Location.id(), span);
                Expr::select(element.is_some(), place.at(span), nothing).at(span)
            }
        };
        Text::Member(Dom::Location, Some(Absent::Empty), expr)
    }

    fn type_of(&mut self, text: &Text<'a>, dom: Dom, span: Span) -> Text<'a> {
        let member = self.member(text, dom, span);
        let to = if dom == Dom::Element {
            Dom::ElementType
        } else {
            Dom::LocationType
        };
        let optional = matches!(member.ty, Type::Opt(_));
        if optional && member.as_const().is_some() {
            return Text::Const(String::new());
        }
        let table = self.type_table(dom, optional);
        let expr = Expr::lookup(&self.out.game, table, vec![member], span);
        Text::Member(to, optional.then_some(Absent::Empty), expr)
    }

    /// The state or owner of an element; -1 without one.
    fn cell(
        &mut self,
        var: crate::ir::VarId,
        text: &Text<'a>,
        span: Span,
        out: &mut Block,
    ) -> Expr {
        let element = self.member(text, Dom::Element, span);
        if matches!(element.ty, Type::Elem(_)) {
            return Expr::var(&self.out.game, var, vec![element], span).to_wrap();
        }
        let unknown = Expr::wrap(-1, span);
        if element.as_const().is_some() {
            return unknown;
        }
        let element = self.share(element, out);
        let value = Expr::var(&self.out.game, var, vec![element.clone().get()], span).to_wrap();
        Expr::select(element.is_some(), value, unknown).at(span)
    }

    /// A builtin that changes the state.
    pub(super) fn change(
        &mut self,
        builtin: Builtin,
        args: &'a [Ast],
        span: Span,
        wanted: bool,
        out: &mut Block,
    ) -> Val<'a> {
        if self.guarding {
            self.fault("a condition must not change the state", span, out);
            return Val::Never;
        }
        let done = Val::Bool(Expr::bool(true, span));
        match builtin {
            Builtin::NextPlayer => {
                if self.game.players.len() > 1 {
                    let turn = Expr::var(&self.out.game, self.ids.turn, Vec::new(), span);
                    let table = self.next_player_table();
                    let next = Expr::lookup(&self.out.game, table, vec![turn], span);
                    out.push(Stmt::set_var(self.ids.turn, Vec::new(), next));
                }
                done
            }
            Builtin::Move => self.move_element(args, span, wanted, out),
            _ => {
                let (text, value) = self.pair(&args[0], &args[1], out);
                let text = self.as_text(text, args[0].span, out);
                let value = self.convert(value, &Repr::Int, args[1].span, out);
                let element = self.member(&text, Dom::Element, args[0].span);
                let element = self.present(element, "there is no such element", span, out);
                self.set_cell(builtin, element, value, &args[1], span, out);
                done
            }
        }
    }

    fn set_cell(
        &mut self,
        builtin: Builtin,
        element: Expr,
        value: Expr,
        arg: &'a Ast,
        span: Span,
        out: &mut Block,
    ) {
        let known = match value.as_const() {
            Some(crate::ir::Const::Int(value)) => Some((*value as i32, *value as i32)),
            _ => self.types.of(arg).int,
        };
        let within = |lo: i32, hi: i32| known.is_some_and(|(a, b)| lo <= a && b <= hi);
        let players = self.game.players.len() as i32;
        let (var, value) = match builtin {
            Builtin::SetZIndex => (self.ids.z, value),
            Builtin::SetOwner => {
                let value = self.share(value, out);
                if !within(0, players) {
                    let most = Expr::wrap(players, span);
                    let message = "there is no such player";
                    self.require_within(&value, 0, most, message, span, out);
                }
                (self.ids.owner, value.to_int())
            }
            _ => {
                let value = self.share(value, out);
                if !within(1, self.least_states()) {
                    let table = self.states_table();
                    let most = Expr::lookup(&self.out.game, table, vec![element.clone()], span);
                    let message = "the element has no such state";
                    self.require_within(&value, 1, most, message, span, out);
                }
                (self.ids.state, value.to_int())
            }
        };
        out.push(Stmt::new(StmtKind::SetVar(var, vec![element], value), span));
    }

    fn require_within(
        &mut self,
        value: &Expr,
        least: i32,
        most: Expr,
        message: &str,
        span: Span,
        out: &mut Block,
    ) {
        let least = Expr::binary(Ir::Ge, value.clone(), Expr::wrap(least, span));
        let most = Expr::binary(Ir::Le, value.clone(), most);
        self.require(least.and(most), message, span, out);
    }

    /// The states that every element has.
    fn least_states(&self) -> i32 {
        let states = |ty: &str| {
            self.game
                .element_types
                .get(ty)
                .map_or(0, |ty| ty.states.node)
        };
        self.game
            .elements
            .values()
            .map(|element| states(&element.ty.node))
            .min()
            .unwrap_or(0)
    }

    fn move_element(
        &mut self,
        args: &'a [Ast],
        span: Span,
        wanted: bool,
        out: &mut Block,
    ) -> Val<'a> {
        let args: Vec<&Ast> = args.iter().collect();
        let vals = self.all(&args, out);
        let mut texts = Vec::new();
        for (val, arg) in vals.into_iter().zip(&args) {
            texts.push(self.as_text(val, arg.span, out));
        }
        let [element, from, to] = texts.as_slice() else {
            return Val::Never;
        };
        let element = self.member(element, Dom::Element, args[0].span);
        let element = self.present(element, "there is no such element", span, out);
        let from = self.member(from, Dom::Location, args[1].span);
        let from = self.present(from, "there is no location to move from", span, out);
        let to = self.member(to, Dom::Location, args[2].span);
        let to = self.present(to, "there is no location to move to", span, out);
        let (element, to) = (self.share(element, out), self.share(to, out));
        let place = Expr::place_of(&self.out.game, self.ids.at, element.clone());
        let message = "the element does not stand where it should move from";
        self.require(place.equals(from.some()).at(span), message, span, out);
        let content = Expr::content(&self.out.game, self.ids.at, to.clone());
        let mut free = content.is_some().not().at(span);
        if wanted {
            let moved = self.local("moved", Type::Bool);
            out.push(Stmt::assign(moved, free));
            free = self.get(moved, span);
        }
        let put = Stmt::new(StmtKind::Put(self.ids.at, element, to), span);
        out.push(Stmt::branch(free.clone(), vec![put], Block::new()));
        Val::Bool(free)
    }
}
