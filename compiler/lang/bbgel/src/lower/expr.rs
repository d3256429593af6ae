//! Expressions: statements for their effects, and a pure value that cannot fault.
//!
//! Operands are evaluated from left to right, both of them always. A value that later effects could change, or whose
//! evaluation may fault, goes to a local variable first.

use super::{Dead, Low, Lower, arith, compare, int, range_of, select};
use crate::ast::{self, Binary, ExprKind, Name, Unary, Who};
use crate::codes;
use crate::ir::{
    Arm, BinaryOp, Block, Chance, Choose, Distribution, Draw, DrawId, Expr, FamilyId, LocalId,
    Stmt, StmtKind, TextPart, Type, UnaryOp,
};
use crate::source::Span;
use crate::world::{Cost, MAX_SIDES};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    Bool,
    /// Known in the game only.
    Dyn,
}

/// A value: pure, and evaluating it cannot fault.
#[derive(Clone, Debug)]
pub(super) struct Val {
    pub(super) ty: Ty,
    /// An integer for `Dyn`; truth values are 0 and 1 then.
    pub(super) expr: Expr,
    /// For `Dyn`: whether it is a truth value.
    pub(super) is_bool: Option<Expr>,
}

/// Where a value is kept.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Global(usize),
    Player(usize, Who),
    Local { slot: usize, level: Expr },
}

impl Val {
    pub(super) fn new(ty: Ty, expr: Expr) -> Val {
        Val {
            ty,
            expr,
            is_bool: None,
        }
    }

    /// The same value with its type told in the game.
    pub(super) fn to_dynamic(&self) -> Val {
        let span = self.expr.span;
        match self.ty {
            Ty::Dyn => self.clone(),
            Ty::Int => Val {
                ty: Ty::Dyn,
                expr: self.expr.clone(),
                is_bool: Some(Expr::bool(false, span)),
            },
            Ty::Bool => Val {
                ty: Ty::Dyn,
                expr: select(self.expr.clone(), int(1, span), int(0, span)),
                is_bool: Some(Expr::bool(true, span)),
            },
        }
    }
}

/// Whether evaluating an expression changes anything, or draws or decides.
fn has_effects(expr: &ast::Expr) -> bool {
    let mut found = false;
    expr.each(&mut |inner| {
        found |= matches!(
            inner.kind,
            ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Roll(_) | ExprKind::ChooseBool
        );
    });
    found
}

/// The variables that an expression may change.
pub(super) fn changed(expr: &ast::Expr) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    expr.each(&mut |inner| {
        if let ExprKind::Assign(name, _) | ExprKind::Step { name, .. } = &inner.kind
            && !names.iter().any(|n| n.of == name.of && n.name == name.name)
        {
            names.push(name.clone());
        }
    });
    names
}

fn kind_word(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "an integer",
        Ty::Bool => "a truth value",
        Ty::Dyn => "a value",
    }
}

impl Lower<'_> {
    /// Evaluates to a local variable unless the value is a constant or one already.
    pub(super) fn settle(&mut self, value: Val) -> Val {
        let settled = |this: &mut Self, expr: Expr| match expr.kind {
            crate::ir::ExprKind::Const(_) | crate::ir::ExprKind::Local(_) => expr,
            _ => this.keep("value", expr),
        };
        let expr = settled(self, value.expr);
        let is_bool = value.is_bool.map(|kind| settled(self, kind));
        Val {
            ty: value.ty,
            expr,
            is_bool,
        }
    }

    pub(super) fn as_int(&mut self, value: Val, why: &str, span: Span) -> Low<Expr> {
        self.as_type(value, Ty::Int, why, span)
    }

    pub(super) fn as_bool(&mut self, value: Val, why: &str, span: Span) -> Low<Expr> {
        self.as_type(value, Ty::Bool, why, span)
    }

    fn as_type(&mut self, value: Val, want: Ty, why: &str, span: Span) -> Low<Expr> {
        if value.ty == want {
            return Ok(value.expr);
        }
        if let (Ty::Dyn, Some(is_bool)) = (value.ty, value.is_bool.clone()) {
            let message = format!("{why}: the value is of the other type");
            let fits = match want {
                Ty::Bool => is_bool,
                _ => is_bool.not(),
            };
            self.check(fits, "type_error", &message, span);
            return Ok(match want {
                Ty::Bool => compare(BinaryOp::Ne, value.expr, int(0, span)),
                _ => value.expr,
            });
        }
        let message = format!("{why}; this is {}", kind_word(value.ty));
        Err(self.mistake(&codes::WRONG_TYPE, "type_error", message, span))
    }

    /// An expression that must be an integer.
    pub(super) fn int_of(&mut self, expr: &ast::Expr, why: &str) -> Low<Expr> {
        let value = self.value(expr)?;
        self.as_int(value, why, expr.span)
    }

    /// An expression that must be a truth value.
    pub(super) fn bool_of(&mut self, expr: &ast::Expr, why: &str) -> Low<Expr> {
        let value = self.value(expr)?;
        match expr.kind {
            ExprKind::Assign(..) => {
                let why = format!("{why} (`=` assigns, `==` compares)");
                self.as_bool(value, &why, expr.span)
            }
            _ => self.as_bool(value, why, expr.span),
        }
    }

    pub(super) fn value(&mut self, expr: &ast::Expr) -> Low<Val> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => {
                self.cost(Cost::Constant);
                Ok(Val::new(Ty::Int, int(*value, span)))
            }
            ExprKind::Bool(value) => {
                self.cost(Cost::Constant);
                Ok(Val::new(Ty::Bool, Expr::bool(*value, span)))
            }
            ExprKind::NumPlayers => {
                self.cost(Cost::Constant);
                Ok(Val::new(Ty::Int, int(self.players as i64, span)))
            }
            ExprKind::LeftSteps => {
                self.cost(Cost::LeftSteps);
                Ok(Val::new(Ty::Int, self.get(self.ids.left, span)))
            }
            ExprKind::Result => self.result(span),
            ExprKind::Name(name) => {
                self.cost(Cost::Read);
                self.read(name)
            }
            ExprKind::Assign(name, value) => {
                let value = self.value(value)?;
                self.cost(Cost::SetVar);
                self.store(name, value, span)
            }
            ExprKind::Step { name, before, up } => self.counted(name, *before, *up, span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ExprKind::Ternary(cond, yes, no) => self.ternary(cond, yes, no, span),
            ExprKind::Roll(sides) => self.roll(sides.as_deref(), span),
            ExprKind::ChooseBool => {
                self.cost(Cost::Choose);
                Ok(Val::new(Ty::Bool, self.choose(span)))
            }
        }
    }

    /// The value that the player last returned.
    fn result(&mut self, span: Span) -> Low<Val> {
        self.cost(Cost::Read);
        let Some(result) = self.ids.result.clone() else {
            let message = "no `return` can have run before".to_owned();
            return Err(self.mistake(&codes::NO_RESULT, "result_not_set", message, span));
        };
        let me = self.me(span);
        let kind = self.var(result.kind, vec![me.clone()], span);
        let some = compare(BinaryOp::Ne, kind.clone(), int(0, span));
        self.check(some, "result_not_set", "there is no result yet", span);
        let value = self.var(result.value, vec![me], span);
        Ok(match result.ty {
            Ty::Int => Val::new(Ty::Int, value),
            Ty::Bool => Val::new(Ty::Bool, compare(BinaryOp::Ne, value, int(0, span))),
            Ty::Dyn => Val {
                ty: Ty::Dyn,
                expr: value,
                is_bool: Some(compare(BinaryOp::Eq, kind, int(2, span))),
            },
        })
    }

    fn counted(&mut self, name: &Name, before: bool, up: bool, span: Span) -> Low<Val> {
        self.cost(Cost::Count);
        let old = self.read(name)?;
        let old = self.as_int(old, "`++` and `--` count integers", span)?;
        // What a later effect changes must not change the value that was read.
        let old = match before {
            true => old,
            false => self.keep("before", old),
        };
        let op = match up {
            true => BinaryOp::Add,
            false => BinaryOp::Sub,
        };
        let new = arith(op, old.clone(), int(1, span));
        let stored = self.store(name, Val::new(Ty::Int, new), span)?;
        match before {
            true => Ok(stored),
            false => Ok(Val::new(Ty::Int, old)),
        }
    }

    fn unary(&mut self, op: Unary, operand: &ast::Expr, span: Span) -> Low<Val> {
        let value = self.value(operand)?;
        self.cost(Cost::Factor);
        Ok(match op {
            Unary::Not => {
                let value = self.as_bool(value, "`not` takes a truth value", span)?;
                Val::new(Ty::Bool, value.not())
            }
            Unary::Plus => {
                let value = self.as_int(value, "`+` takes an integer", span)?;
                Val::new(Ty::Int, value)
            }
            Unary::Minus => {
                let value = self.as_int(value, "`-` takes an integer", span)?;
                let negative = arith(BinaryOp::Sub, int(0, span), value);
                Val::new(Ty::Int, self.exact(negative))
            }
        })
    }

    /// A value whose computation may overflow is computed at once.
    fn exact(&mut self, value: Expr) -> Expr {
        match value.ty == Type::INT {
            true => self.keep("value", value),
            false => value,
        }
    }

    /// Two operands in their order.
    fn operands(&mut self, left: &ast::Expr, right: &ast::Expr) -> Low<(Val, Val)> {
        let a = self.value(left)?;
        let a = match has_effects(right) {
            true => self.settle(a),
            false => a,
        };
        let b = self.value(right)?;
        Ok((a, b))
    }

    fn binary(&mut self, op: Binary, left: &ast::Expr, right: &ast::Expr, span: Span) -> Low<Val> {
        let (a, b) = self.operands(left, right)?;
        self.cost(match op {
            Binary::Or => Cost::Or,
            Binary::And => Cost::And,
            Binary::Eq | Binary::Ne => Cost::Compare,
            Binary::Lt | Binary::Gt | Binary::Le | Binary::Ge => Cost::Relation,
            Binary::Add | Binary::Sub => Cost::Sum,
            Binary::Mul | Binary::Div | Binary::Rem => Cost::Term,
        });
        let sign = op.sign();
        match op {
            Binary::Or | Binary::And => {
                let why = format!("`{sign}` takes truth values");
                let a = self.as_bool(a, &why, left.span)?;
                let b = self.as_bool(b, &why, right.span)?;
                let op = match op {
                    Binary::Or => BinaryOp::Or,
                    _ => BinaryOp::And,
                };
                Ok(Val::new(Ty::Bool, compare(op, a, b)))
            }
            Binary::Eq | Binary::Ne => self.equality(op, a, b, span),
            _ => {
                let why = format!("`{sign}` takes integers");
                let a = self.as_int(a, &why, left.span)?;
                let b = self.as_int(b, &why, right.span)?;
                self.on_integers(op, a, b, (right.span, span))
            }
        }
    }

    fn on_integers(&mut self, op: Binary, a: Expr, b: Expr, at: (Span, Span)) -> Low<Val> {
        let relation = |op| Val::new(Ty::Bool, compare(op, a.clone(), b.clone()));
        Ok(match op {
            Binary::Lt => relation(BinaryOp::Lt),
            Binary::Gt => relation(BinaryOp::Gt),
            Binary::Le => relation(BinaryOp::Le),
            Binary::Ge => relation(BinaryOp::Ge),
            Binary::Div | Binary::Rem => self.quotient(op, a, b, at.0)?,
            _ => {
                let op = match op {
                    Binary::Add => BinaryOp::Add,
                    Binary::Sub => BinaryOp::Sub,
                    _ => BinaryOp::Mul,
                };
                let mut value = arith(op, a, b);
                value.span = at.1;
                Val::new(Ty::Int, self.exact(value))
            }
        })
    }

    /// `/` rounds down, `%` has the sign of the dividend.
    fn quotient(&mut self, op: Binary, a: Expr, b: Expr, span: Span) -> Low<Val> {
        let (least, most) = range_of(&b);
        if (least, most) == (0, 0) {
            let message = "the divisor is 0".to_owned();
            return Err(self.mistake(&codes::DIVISION_BY_ZERO, "division_by_zero", message, span));
        }
        let a = self.settle(Val::new(Ty::Int, a)).expr;
        let b = self.settle(Val::new(Ty::Int, b)).expr;
        if least <= 0 && most >= 0 {
            let fine = compare(BinaryOp::Ne, b.clone(), int(0, span));
            self.check(fine, "division_by_zero", "the divisor is 0", span);
        }
        let value = match op {
            Binary::Rem => arith(BinaryOp::Rem, a, b),
            _ if range_of(&a).0 >= 0 && least >= 0 => arith(BinaryOp::Div, a, b),
            _ => {
                let rest = arith(BinaryOp::Rem, a.clone(), b.clone());
                let quotient = arith(BinaryOp::Div, a, b.clone());
                let uneven = compare(BinaryOp::Ne, rest.clone(), int(0, span));
                let negative = |expr: Expr| compare(BinaryOp::Lt, expr, int(0, span));
                let differ = compare(BinaryOp::Ne, negative(rest), negative(b));
                let below = arith(BinaryOp::Sub, quotient.clone(), int(1, span));
                let below = self.keep("quotient", below);
                select(uneven.and(differ), below, quotient)
            }
        };
        // The tests above exclude the faults that the types still allow.
        let value = self.keep("quotient", value);
        Ok(Val::new(Ty::Int, value))
    }

    fn equality(&mut self, op: Binary, a: Val, b: Val, span: Span) -> Low<Val> {
        let op = match op {
            Binary::Eq => BinaryOp::Eq,
            _ => BinaryOp::Ne,
        };
        let why = "`==` and `!=` take two values of one type";
        let (a, b) = match (a.ty, b.ty) {
            (Ty::Dyn, Ty::Dyn) => {
                if let (Some(x), Some(y)) = (&a.is_bool, &b.is_bool) {
                    let same = compare(BinaryOp::Eq, x.clone(), y.clone());
                    self.check(same, "type_error", why, span);
                }
                (a.expr, b.expr)
            }
            (Ty::Dyn, ty) => (self.as_type(a, ty, why, span)?, b.expr),
            (ty, Ty::Dyn) => {
                let b = self.as_type(b, ty, why, span)?;
                (a.expr, b)
            }
            (x, y) if x == y => (a.expr, b.expr),
            (x, y) => {
                let message = format!("{why}; these are {} and {}", kind_word(x), kind_word(y));
                return Err(self.mistake(&codes::WRONG_TYPE, "type_error", message, span));
            }
        };
        Ok(Val::new(Ty::Bool, compare(op, a, b)))
    }

    /// Both branches are evaluated, each on a copy of everything; the copy of the chosen one stays.
    fn ternary(
        &mut self,
        cond: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        span: Span,
    ) -> Low<Val> {
        let cond = self.bool_of(cond, "a condition is a truth value")?;
        let cond = self.keep("cond", cond);
        let mut names = changed(yes);
        names.extend(changed(no));
        self.tell_time();
        let cells = self.cells_of(&names);
        let before = self.keep_cells(&cells, span);
        let (a, time_a) = self.timed(yes)?;
        let a = self.settle(a);
        let after_a = self.keep_cells(&cells, span);
        self.put_cells(&cells, &before, span);
        let (b, time_b) = self.timed(no)?;
        let b = self.settle(b);
        for (cell, value) in cells.iter().zip(&after_a) {
            let (var, index) = self.cell_var(cell, span);
            let put = Stmt::set_var(var, index, value.clone());
            self.push(Stmt::branch(cond.clone(), vec![put], vec![]));
        }
        let time = select(cond.clone(), time_a, time_b);
        if range_of(&time) != (0, 0) {
            self.add_time(time);
        }
        match (a.ty, b.ty) {
            (x, y) if x == y && x != Ty::Dyn => Ok(Val::new(x, select(cond, a.expr, b.expr))),
            (Ty::Dyn, _) | (_, Ty::Dyn) => {
                let (a, b) = (a.to_dynamic(), b.to_dynamic());
                let (Some(x), Some(y)) = (a.is_bool, b.is_bool) else {
                    return Err(Dead);
                };
                let same = compare(BinaryOp::Eq, x.clone(), y);
                self.check(
                    same,
                    "type_error",
                    "both branches of `?:` have one type",
                    span,
                );
                Ok(Val {
                    ty: Ty::Dyn,
                    expr: select(cond, a.expr, b.expr),
                    is_bool: Some(x),
                })
            }
            (x, y) => {
                let message = format!(
                    "both branches of `?:` have one type; these are {} and {}",
                    kind_word(x),
                    kind_word(y)
                );
                Err(self.mistake(&codes::WRONG_TYPE, "type_error", message, span))
            }
        }
    }

    /// Evaluates an expression and gives the time that it takes instead of telling it.
    fn timed(&mut self, expr: &ast::Expr) -> Low<(Val, Expr)> {
        let span = expr.span;
        let mut nested = false;
        expr.each(&mut |inner| nested |= matches!(inner.kind, ExprKind::Ternary(..)));
        let before = self.pending;
        self.pending = 0;
        if !nested {
            let value = self.value(expr)?;
            let time = std::mem::replace(&mut self.pending, before);
            return Ok((value, int(time, span)));
        }
        let start = self.keep("time", self.var(self.ids.time, vec![], span));
        let value = self.value(expr)?;
        let value = self.settle(value);
        self.tell_time();
        self.pending = before;
        let end = self.var(self.ids.time, vec![], span);
        let time = self.keep("time", arith(BinaryOp::Sub, end, start.clone()));
        let time = arith(BinaryOp::Max, time, int(0, span));
        self.push(Stmt::set_var(self.ids.time, vec![], start));
        Ok((value, time))
    }

    /// The cells that some names may mean here, each once.
    pub(super) fn cells_of(&mut self, names: &[Name]) -> Vec<Cell> {
        let mut cells: Vec<Cell> = Vec::new();
        for name in names {
            for candidate in self.candidates(name) {
                cells.push(candidate.cell);
            }
        }
        cells
    }

    pub(super) fn keep_cells(&mut self, cells: &[Cell], span: Span) -> Vec<Expr> {
        let mut kept = Vec::new();
        for cell in cells {
            let value = self.cell_read(cell, span);
            kept.push(self.keep("old", value));
        }
        kept
    }

    pub(super) fn put_cells(&mut self, cells: &[Cell], values: &[Expr], span: Span) {
        for (cell, value) in cells.iter().zip(values) {
            let (var, index) = self.cell_var(cell, span);
            self.push(Stmt::set_var(var, index, value.clone()));
        }
    }

    fn roll(&mut self, sides: Option<&ast::Expr>, span: Span) -> Low<Val> {
        self.cost(Cost::Roll);
        let Some(sides) = sides else {
            let die = self.die.max(1);
            return Ok(Val::new(Ty::Int, self.draw(int(die, span), span)));
        };
        let sides = self.int_of(sides, "the sides of a die are an integer")?;
        let sides = self.settle(Val::new(Ty::Int, sides)).expr;
        let (lo, hi) = range_of(&sides);
        // A die with n < 0 sides shows 0 down to n + 1, one without sides 1.
        let size = match lo >= 1 {
            true => sides.clone(),
            false => {
                let sized = Expr::unary(UnaryOp::Abs, sides.clone());
                let widest = lo.unsigned_abs().max(hi.unsigned_abs());
                let mut sized = sized;
                sized.ty = Type::Int {
                    lo: 0,
                    hi: i64::try_from(widest).unwrap_or(i64::MAX),
                };
                if lo == i64::MIN {
                    sized.ty = Type::INT;
                    sized = self.keep("sides", sized);
                }
                arith(BinaryOp::Max, sized, int(1, span))
            }
        };
        let size = match range_of(&size).1 > MAX_SIDES {
            true => {
                let fine = compare(BinaryOp::Le, size.clone(), int(MAX_SIDES, span));
                let message = format!("a die has at most {MAX_SIDES} sides");
                self.check(fine, "die_too_large", &message, span);
                arith(BinaryOp::Min, size, int(MAX_SIDES, span))
            }
            false => size,
        };
        let drawn = self.draw(size, span);
        if lo >= 0 {
            return Ok(Val::new(Ty::Int, drawn));
        }
        let negative = compare(BinaryOp::Lt, sides, int(0, span));
        let mirrored = arith(BinaryOp::Sub, int(1, span), drawn.clone());
        Ok(Val::new(Ty::Int, select(negative, mirrored, drawn)))
    }

    /// A number from 1 to the sides of a die, drawn.
    pub(super) fn draw(&mut self, sides: Expr, span: Span) -> Expr {
        let most = range_of(&sides).1.max(1);
        let draw = self.draw_of(most);
        let into = self.local("rolled", Type::Int { lo: 1, hi: most });
        let chance = Chance {
            draw,
            dist: Distribution::Uniform(int(1, span), sides),
            into,
        };
        self.emit(StmtKind::Chance(chance), span);
        self.get(into, span)
    }

    fn draw_of(&mut self, most: i64) -> DrawId {
        if let Some(draw) = self.draws.get(&most) {
            return *draw;
        }
        let text = vec![TextPart::Text("roll ".to_owned()), TextPart::Param(0)];
        let name = match self.draws.is_empty() {
            true => "roll".to_owned(),
            false => format!("roll {most}"),
        };
        self.b.game.draws.push(Draw {
            name,
            ty: Type::Int { lo: 1, hi: most },
            text,
            span: self.span,
        });
        let draw = DrawId::from(self.b.game.draws.len() - 1);
        self.draws.insert(most, draw);
        draw
    }

    /// The choice of the current player.
    fn choose(&mut self, span: Span) -> Expr {
        let chosen = self.local("chosen", Type::Bool);
        let families = self.families(span);
        let arms = families.into_iter().zip([false, true]);
        let arms = arms.map(|(family, value)| Arm {
            family,
            given: Vec::new(),
            bind: Vec::new(),
            body: set_bool(chosen, value, span),
        });
        let choose = Choose {
            players: self.me(span),
            arms: arms.collect(),
            otherwise: None,
        };
        self.emit(StmtKind::Choose(choose), span);
        self.get(chosen, span)
    }

    /// The moves `no` and `yes`.
    fn families(&mut self, span: Span) -> [FamilyId; 2] {
        if self.b.game.families.is_empty() {
            for word in ["no", "yes"] {
                self.b.family(crate::ir::Family {
                    name: word.to_owned(),
                    context: Vec::new(),
                    params: Vec::new(),
                    guard: None,
                    after: None,
                    effect: None,
                    rank: None,
                    class: Vec::new(),
                    text: vec![TextPart::Text(word.to_owned())],
                    span,
                });
            }
        }
        [FamilyId::from(0_usize), FamilyId::from(1_usize)]
    }
}

fn set_bool(local: LocalId, value: bool, span: Span) -> Block {
    vec![Stmt::assign(local, Expr::bool(value, span))]
}
