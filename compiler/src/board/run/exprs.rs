//! The values of expressions.

use super::{OfContent, Res, Runner, State, Stop, Value};
use crate::board::contents::Contents;
use crate::hash::Operands;
use crate::ir::value;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, FuncId, Type, VarId};

impl<'a> Runner<'a> {
    /// The value of an expression; where it depends on what stands on several places, what one of them holds is asked for.
    pub(super) fn expr(&mut self, expr: &'a Expr, state: &State) -> Res<Value> {
        self.steps += 1;
        match &expr.kind {
            ExprKind::Const(value) => Ok(Value::Const(value.clone())),
            ExprKind::Local(local) => self.recalled(&state.locals[local.index()], state),
            ExprKind::Env { var, checked } => match &state.env[var.index()] {
                // Whether it has a value is not known.
                value @ (Value::Since(..) | Value::Unknown(_)) if *checked => {
                    Err(self.unknown(value))
                }
                value => self.recalled(value, state),
            },
            ExprKind::Content(placement, at) if *placement == self.board.placement => {
                let Const::Elem(place) = self.known(at, state)? else {
                    return Err(Stop::Unclear);
                };
                self.settled(place, 0, state)
            }
            ExprKind::If(cond, yes, no) => self.choice(expr, cond, Some(yes), Some(no), state),
            ExprKind::Binary(BinaryOp::And, a, b) => self.choice(expr, a, Some(b), None, state),
            ExprKind::Binary(BinaryOp::Or, a, b) => self.choice(expr, a, None, Some(b), state),
            ExprKind::Var(var, index) => self.var(expr, *var, index, state),
            ExprKind::Call(func, args) => {
                let args = args.iter().map(|arg| self.sure(arg, state));
                let args = args.collect::<Res<Vec<Value>>>()?;
                self.answer(*func, args, state)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a, state)?, self.expr(b, state)?);
                match (&left, &right) {
                    (Value::Const(left), Value::Const(right)) => {
                        let value = value::binary(*op, &a.ty, left, right);
                        value.map(Value::Const).ok_or(Stop::Unclear)
                    }
                    _ => self.applied(expr, &[left, right], state),
                }
            }
            ExprKind::Unary(_, a)
            | ExprKind::IsSome(a)
            | ExprKind::Get(a)
            | ExprKind::ToInt(a)
            | ExprKind::ToWrap(a) => match self.expr(a, state)? {
                Value::Const(of) => self.told(expr, &[&of]),
                of => self.applied(expr, &[of], state),
            },
            ExprKind::Lookup(_, index) => match &index[..] {
                [a] => match self.expr(a, state)? {
                    Value::Const(of) => self.told(expr, &[&of]),
                    of => self.applied(expr, &[of], state),
                },
                [a, b] => match (self.expr(a, state)?, self.expr(b, state)?) {
                    (Value::Const(a), Value::Const(b)) => self.told(expr, &[&a, &b]),
                    (a, b) => self.applied(expr, &[a, b], state),
                },
                _ => self.operation(expr, state),
            },
            _ => self.operation(expr, state),
        }
    }

    /// What an operation gives for constants.
    fn told(&self, expr: &Expr, operands: &[&Const]) -> Res<Value> {
        let value = value::apply(self.board.game, expr, operands);
        value.map(Value::Const).ok_or(Stop::Unclear)
    }

    /// The value of a function that writes nothing.
    fn answer(&mut self, func: FuncId, args: Vec<Value>, state: &State) -> Res<Value> {
        let parts = self.ways(func, args, state)?;
        if let [(_, value)] = &parts[..] {
            return value.clone().ok_or(Stop::Unclear);
        }
        // What tells the ways apart is known before they are gone.
        let mut places = parts
            .iter()
            .flat_map(|(part, _)| part.board.keys().copied());
        let differs = |place: &u32| {
            let before = self.stands(state, *place);
            parts
                .iter()
                .any(|(part, _)| self.stands(part, *place) != before)
        };
        let place = places.find(differs).ok_or(Stop::Unclear)?;
        let mut kinds: Vec<&Contents> = Vec::new();
        for (part, _) in &parts {
            let may = self.stands(part, place);
            if !kinds.contains(&may) {
                kinds.push(may);
            }
        }
        let kind = |at: usize| kinds.iter().position(|may| may.contains(at));
        let kinds = (0..self.functions[0].len())
            .map(|at| Some(Const::Int(kind(at).map_or(-1, |at| at as i64))));
        let kinds: OfContent = kinds.collect();
        self.functions.push(kinds);
        Err(Stop::Needs(place, self.functions.len() - 1))
    }

    /// A value that is no fault, whether it is needed later or not.
    pub(super) fn sure(&mut self, expr: &'a Expr, state: &State) -> Res<Value> {
        let value = self.expr(expr, state)?;
        let Value::Of(place, function) = value else {
            return Ok(value);
        };
        let may = self.may(state, place)?;
        let groups = self.groups(function, may);
        if groups.iter().all(|(value, _)| value.is_some()) {
            return Ok(value);
        }
        let made = self.made(Operands(usize::MAX - 1, &[value]), |this| {
            let values = this.functions[function].iter();
            let sound = values.map(|value| value.as_ref().map(|_| Const::Bool(true)));
            sound.collect()
        });
        Err(Stop::Needs(place, made))
    }

    /// A value that is known.
    pub(super) fn known(&mut self, expr: &'a Expr, state: &State) -> Res<Const> {
        match self.expr(expr, state)? {
            Value::Const(value) => Ok(value),
            other => Err(self.unknown(&other)),
        }
    }

    pub(super) fn truth(&mut self, expr: &'a Expr, state: &State) -> Res<bool> {
        match self.known(expr, state)? {
            Const::Bool(value) => Ok(value),
            _ => Err(Stop::Unclear),
        }
    }

    /// A value that a variable of a type takes without a fault.
    pub(super) fn fitting(&mut self, expr: &'a Expr, ty: &Type, state: &State) -> Res<Value> {
        let value = self.sure(expr, state)?;
        if ty.contains(&expr.ty) {
            return Ok(value);
        }
        match (&value, ty) {
            (Value::Const(Const::Int(at)), Type::Int { lo, hi }) if lo <= at && at <= hi => {
                Ok(value)
            }
            (Value::Of(place, function), _) => Err(Stop::Needs(*place, *function)),
            _ => Err(self.unknown(&value)),
        }
    }

    /// The value of a variable: more may be known of the place that it comes from than when it was assigned.
    fn recalled(&mut self, value: &Value, state: &State) -> Res<Value> {
        match value {
            Value::Of(place, function) => self.settled(*place, *function, state),
            value => Ok(value.clone()),
        }
    }

    /// A function of what stands on a place, or its only value.
    fn settled(&mut self, place: u32, function: usize, state: &State) -> Res<Value> {
        let may = self.may(state, place)?;
        Ok(match &self.groups(function, may)[..] {
            [(Some(only), _)] => Value::Const(only.clone()),
            _ => Value::Of(place, function),
        })
    }

    /// A function by its values; `key` says what they were made of.
    fn made(&mut self, key: Operands<'_, Value>, make: impl FnOnce(&Self) -> OfContent) -> usize {
        if let Some(known) = self.applied.get(&key) {
            return *known;
        }
        let values = make(self);
        let known = self.functions.iter().position(|other| *other == values);
        let known = known.unwrap_or_else(|| {
            self.functions.push(values);
            self.functions.len() - 1
        });
        self.applied.insert(key.key(), known);
        known
    }

    /// What a value is for the content with this number.
    fn at(&self, value: &Value, content: usize) -> Option<Const> {
        match value {
            Value::Const(value) => Some(value.clone()),
            Value::Of(_, function) => self.functions[*function][content].clone(),
            Value::Since(..) | Value::Unknown(_) => None,
        }
    }

    /// A choice; an absent branch is the constant that `and` and `or` give there.
    fn choice(
        &mut self,
        expr: &'a Expr,
        cond: &'a Expr,
        yes: Option<&'a Expr>,
        no: Option<&'a Expr>,
        state: &State,
    ) -> Res<Value> {
        let cond = self.expr(cond, state)?;
        let (place, function) = match cond {
            Value::Const(Const::Bool(cond)) => {
                return self.branch(if cond { yes } else { no }, cond, state);
            }
            Value::Of(place, function) => (place, function),
            other => return Err(self.unknown(&other)),
        };
        let needs = Stop::Needs(place, function);
        let mut sides = Vec::new();
        for (side, holds) in [(yes, true), (no, false)] {
            match self.branch(side, holds, state) {
                Ok(value @ Value::Const(_)) => sides.push(value),
                Ok(value @ Value::Of(other, _)) if other == place => sides.push(value),
                // Perhaps it can be told once the condition is known.
                _ => return Err(needs),
            }
        }
        let [yes, no] = &sides[..] else {
            return Err(needs);
        };
        let operands = [cond, yes.clone(), no.clone()];
        let key = Operands(address(expr), &operands);
        let made = self.made(key, |this| {
            let conds = this.functions[function].iter().enumerate();
            let values = conds.map(|(at, cond)| match cond {
                Some(Const::Bool(true)) => this.at(yes, at),
                Some(Const::Bool(false)) => this.at(no, at),
                _ => None,
            });
            values.collect()
        });
        self.settled(place, made, state)
    }

    fn branch(&mut self, branch: Option<&'a Expr>, value: bool, state: &State) -> Res<Value> {
        match branch {
            Some(expr) => self.expr(expr, state),
            None => Ok(Value::Const(Const::Bool(value))),
        }
    }

    fn var(&mut self, expr: &'a Expr, var: VarId, index: &'a [Expr], state: &State) -> Res<Value> {
        let tracked = self.board.tracked.iter().position(|other| *other == var);
        let (Some(at), [index]) = (tracked, index) else {
            return match index.is_empty() {
                true => Ok(state
                    .vars
                    .get(&var)
                    .cloned()
                    .unwrap_or(Value::Unknown(None))),
                false => Err(Stop::Unclear),
            };
        };
        let index = self.expr(index, state)?;
        let Value::Of(place, function) = index else {
            return Err(self.unknown(&index));
        };
        let spot = state.board.get(&place);
        let set = spot.and_then(|spot| spot.set.get(at).cloned().flatten());
        let operands = [
            index,
            set.clone().map_or(Value::Unknown(None), Value::Const),
        ];
        let key = Operands(address(expr), &operands);
        let made = self.made(key, |this| {
            let values = this.functions[function].iter().zip(this.board.contents);
            let values = values.map(|(piece, (own, known))| {
                let itself = *piece == Some(Const::Elem(*own));
                itself.then(|| set.clone().or_else(|| known.get(at).cloned()))?
            });
            values.chain([None]).collect()
        });
        self.settled(place, made, state)
    }

    /// Nothing if a function gives the piece itself for some contents; else a function that tells where it is a fault instead.
    pub(super) fn not_itself(
        &mut self,
        place: u32,
        function: usize,
        may: &Contents,
    ) -> Res<Option<usize>> {
        let operands = [Value::Of(place, function)];
        let made = self.made(Operands(usize::MAX, &operands), |this| {
            let values = this.functions[function].iter().enumerate();
            let itself = values.map(|(at, value)| {
                let own = this
                    .board
                    .contents
                    .get(at)
                    .map(|(piece, _)| Const::Elem(*piece));
                value
                    .as_ref()
                    .map(|value| Const::Bool(Some(value) == own.as_ref()))
            });
            itself.collect()
        });
        match &self.groups(made, may)[..] {
            [(Some(Const::Bool(true)), _)] => Ok(None),
            groups
                if groups
                    .iter()
                    .any(|(value, _)| *value == Some(Const::Bool(false))) =>
            {
                Err(Stop::Unclear)
            }
            _ => Ok(Some(made)),
        }
    }

    /// An operation whose operands are all evaluated.
    fn operation(&mut self, expr: &'a Expr, state: &State) -> Res<Value> {
        let mut operands: Vec<Value> = Vec::new();
        let mut stop = None;
        expr.children(&mut |child| {
            if stop.is_none() {
                match self.expr(child, state) {
                    Ok(value) => operands.push(value),
                    Err(why) => stop = Some(why),
                }
            }
        });
        if let Some(stop) = stop {
            return Err(stop);
        }
        self.applied(expr, &operands, state)
    }

    fn applied(&mut self, expr: &'a Expr, operands: &[Value], state: &State) -> Res<Value> {
        if let Some(sum) = added(expr, operands) {
            return Ok(sum);
        }
        let mut place = None;
        for operand in operands {
            match operand {
                Value::Const(_) => {}
                Value::Of(other, function) => {
                    if *place.get_or_insert(*other) != *other {
                        return Err(Stop::Needs(*other, *function));
                    }
                }
                Value::Since(..) | Value::Unknown(_) => return Err(self.unknown(operand)),
            }
        }
        let game = self.board.game;
        let Some(place) = place else {
            let known = operands.iter().filter_map(|operand| match operand {
                Value::Const(value) => Some(value),
                _ => None,
            });
            return self.told(expr, &known.collect::<Vec<_>>());
        };
        let apply = |this: &Self, at: usize| {
            let operands = operands.iter().map(|operand| this.at(operand, at));
            let operands: Vec<Const> = operands.collect::<Option<_>>()?;
            value::apply(game, expr, &operands.iter().collect::<Vec<_>>())
        };
        let key = Operands(address(expr), operands);
        let made = self.made(key, |this| {
            let count = this.functions[0].len();
            (0..count).map(|at| apply(this, at)).collect()
        });
        self.settled(place, made, state)
    }
}

fn address(expr: &Expr) -> usize {
    std::ptr::from_ref(expr) as usize
}

/// A number that is not known with a constant more.
fn added(expr: &Expr, operands: &[Value]) -> Option<Value> {
    let ExprKind::Binary(op, ..) = &expr.kind else {
        return None;
    };
    if expr.ty != Type::Wrap32 {
        return None;
    }
    match (op, operands) {
        (BinaryOp::Add, [Value::Since(origin, sum), Value::Const(Const::Int(more))])
        | (BinaryOp::Add, [Value::Const(Const::Int(more)), Value::Since(origin, sum)]) => {
            Some(Value::Since(*origin, sum.checked_add(*more)?))
        }
        (BinaryOp::Sub, [Value::Since(origin, sum), Value::Const(Const::Int(less))]) => {
            Some(Value::Since(*origin, sum.checked_sub(*less)?))
        }
        _ => None,
    }
}
