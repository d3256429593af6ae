//! The value of an expression.

use std::cmp::Ordering;
use std::sync::Arc;

use super::program::{Grid, Program};
use super::run::{Halt, Run};
use super::state::Fault;
use super::value::{Members, Tag, Value};
use crate::ir::{
    BinaryOp, Expr, ExprKind, FaultCode, Fold, FuncId, LocalId, Over, RelationId, TableId, UnaryOp,
    WalkGive,
};
use crate::source::Span;

/// Bytes of stack that the expressions of one function may need, and how much is added where less is
/// left: [`MAX_NESTING`](crate::ir::verify::MAX_NESTING) levels of evaluation.
const STACK_ROOM: usize = 512 << 10;
const STACK_STEP: usize = 8 << 20;

/// A result, or what ended the evaluation.
pub(super) type Res<T> = Result<T, Box<Halt>>;

pub(super) fn fault<T>(code: FaultCode, span: Span) -> Res<T> {
    Err(Box::new(Halt::Fault(Fault { code, span })))
}

/// The payload of a value of a type that `verify` promised.
macro_rules! payload {
    ($name:ident, $variant:ident, $ty:ty) => {
        pub(super) fn $name(value: Value, span: Span) -> Res<$ty> {
            match value {
                Value::$variant(payload) => Ok(payload),
                _ => fault(FaultCode::WrongType, span),
            }
        }
    };
}

payload!(as_bool, Bool, bool);
payload!(as_int, Int, i64);
payload!(as_elem, Elem, u32);
payload!(as_opt, Opt, Option<u32>);
payload!(as_set, Set, Members);
payload!(as_seq, Seq, Arc<Vec<Value>>);

impl<'a> Run<'a> {
    pub(super) fn eval(&mut self, expr: &'a Expr) -> Res<Value> {
        match &expr.kind {
            ExprKind::Const(value) => match Value::of_const(value, &expr.ty) {
                Some(value) => Ok(value),
                None => fault(FaultCode::WrongType, expr.span),
            },
            ExprKind::Local(local) => self.local(*local, expr.span),
            ExprKind::Env { var, .. } => match &self.env[var.index()] {
                Some(value) => Ok(value.clone()),
                None => fault(FaultCode::UnsetVariable, expr.span),
            },
            ExprKind::EnvIsSet(var) => Ok(Value::Bool(self.env[var.index()].is_some())),
            ExprKind::Var(var, index) => {
                let grid = &self.program.vars[var.index()];
                match self.cell(grid, index)? {
                    Some(cell) => Ok(self.core.vars[cell].clone()),
                    None => fault(FaultCode::IndexOutside, expr.span),
                }
            }
            ExprKind::Lookup(table, index) => self.lookup(*table, index, expr.span),
            ExprKind::PlaceOf(placement, piece) => {
                let piece = self.elem(piece)?;
                Ok(Value::Opt(
                    self.core.placed[placement.index()].place_of(piece),
                ))
            }
            ExprKind::Content(placement, place) => {
                let place = self.elem(place)?;
                Ok(Value::Opt(
                    self.core.placed[placement.index()].content(place),
                ))
            }
            ExprKind::Contents(placement, place) => {
                let place = self.elem(place)?;
                Ok(Value::Set(
                    self.core.placed[placement.index()].contents(place),
                ))
            }
            ExprKind::Places(placement, kind) => {
                let kind = self.elem(kind)?;
                Ok(Value::Set(self.core.placed[placement.index()].places(kind)))
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::If(cond, yes, no) => match self.bool(cond)? {
                true => self.eval(yes),
                false => self.eval(no),
            },
            _ => self.eval_more(expr),
        }
    }

    fn eval_more(&mut self, expr: &'a Expr) -> Res<Value> {
        match &expr.kind {
            ExprKind::Some(a) => Ok(Value::Opt(Some(self.elem(a)?))),
            ExprKind::IsSome(a) => Ok(Value::Bool(self.opt(a)?.is_some())),
            ExprKind::Get(a) => match self.opt(a)? {
                Some(member) => Ok(Value::Elem(member)),
                None => fault(FaultCode::NoValue, expr.span),
            },
            ExprKind::OrElse(a, b) => match self.opt(a)? {
                Some(member) => Ok(Value::Elem(member)),
                None => self.eval(b),
            },
            ExprKind::Ordinal(a) => {
                let member = self.elem(a)?;
                let crate::ir::Type::Elem(domain) = a.ty else {
                    return fault(FaultCode::WrongType, expr.span);
                };
                Ok(Value::Int(self.program.game.domain(domain).ordinal(member)))
            }
            ExprKind::Member(domain, a) => {
                let ordinal = match self.eval(a)? {
                    Value::Wrap(i) => i64::from(i),
                    other => as_int(other, a.span)?,
                };
                let member = self.program.game.domain(*domain).with_ordinal(ordinal);
                Ok(Value::Opt(member))
            }
            ExprKind::ToWrap(a) => Ok(Value::Wrap(self.int(a)? as i32)),
            ExprKind::ToInt(a) => match self.eval(a)? {
                Value::Wrap(i) => Ok(Value::Int(i64::from(i))),
                _ => fault(FaultCode::WrongType, expr.span),
            },
            ExprKind::Tag(a) => match Tag::of(&a.ty) {
                Some(tag) => Ok(Value::Tagged(tag, Arc::new(self.eval(a)?))),
                None => fault(FaultCode::WrongType, expr.span),
            },
            ExprKind::Untag(a) => match (self.eval(a)?, Tag::of(&expr.ty)) {
                (Value::Tagged(tag, value), Some(wanted)) if tag == wanted => {
                    Ok(value.as_ref().clone())
                }
                _ => fault(FaultCode::WrongType, expr.span),
            },
            ExprKind::HasTag(ty, a) => match self.eval(a)? {
                Value::Tagged(tag, _) => Ok(Value::Bool(Tag::of(ty) == Some(tag))),
                _ => fault(FaultCode::WrongType, expr.span),
            },
            ExprKind::SetOf(items) => {
                let mut set = Members::EMPTY;
                for item in items {
                    set.insert(self.elem(item)?);
                }
                Ok(Value::Set(set))
            }
            ExprKind::SeqOf(items) => Ok(Value::Seq(Arc::new(self.all(items)?))),
            ExprKind::Size(a) => match self.eval(a)? {
                Value::Set(set) => Ok(Value::Int(set.len() as i64)),
                other => Ok(Value::Int(as_seq(other, expr.span)?.len() as i64)),
            },
            ExprKind::Item(a, at) => {
                let items = as_seq(self.eval(a)?, a.span)?;
                let at = self.int(at)?;
                match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                    Some(item) => Ok(item.clone()),
                    None => fault(FaultCode::IndexOutside, expr.span),
                }
            }
            _ => self.eval_rest(expr),
        }
    }

    fn eval_rest(&mut self, expr: &'a Expr) -> Res<Value> {
        match &expr.kind {
            ExprKind::Fold {
                fold,
                local,
                over,
                body,
            } => self.fold(*fold, *local, over, body, expr.span),
            ExprKind::Collect { local, over, when } => self.collect(*local, over, when),
            ExprKind::First { local, over, when } => self.first(*local, over, when),
            ExprKind::Walk {
                start,
                step,
                local,
                pass,
                give,
            } => self.walk(start, *step, *local, pass, *give),
            ExprKind::Closure {
                from,
                edges,
                local,
                pass,
            } => self.closure(from, *edges, *local, pass),
            ExprKind::Call(func, args) => {
                let args = self.all(args)?;
                self.value_of(*func, args, expr.span)
            }
            ExprKind::Holds(relation, args) => {
                let args = self.all(args)?;
                let holds = self.program.game.relation(*relation).holds;
                self.value_of(holds, args, expr.span)
            }
            ExprKind::Related(relation, args) => self.related(*relation, args, expr.span),
            ExprKind::Seen(trail) => {
                let identity = self.program.game.trail(*trail).identity;
                let now = self.terms(identity);
                let seen = self.core.trails[trail.index()].iter();
                Ok(Value::Int(seen.filter(|then| **then == now).count() as i64))
            }
            _ => fault(FaultCode::WrongType, expr.span),
        }
    }

    pub(super) fn bool(&mut self, expr: &'a Expr) -> Res<bool> {
        as_bool(self.eval(expr)?, expr.span)
    }

    pub(super) fn int(&mut self, expr: &'a Expr) -> Res<i64> {
        as_int(self.eval(expr)?, expr.span)
    }

    pub(super) fn elem(&mut self, expr: &'a Expr) -> Res<u32> {
        as_elem(self.eval(expr)?, expr.span)
    }

    pub(super) fn opt(&mut self, expr: &'a Expr) -> Res<Option<u32>> {
        as_opt(self.eval(expr)?, expr.span)
    }

    pub(super) fn set(&mut self, expr: &'a Expr) -> Res<Members> {
        as_set(self.eval(expr)?, expr.span)
    }

    pub(super) fn all(&mut self, exprs: &'a [Expr]) -> Res<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    /// The value of a function, on a stack with room for the expressions of its body.
    fn value_of(&mut self, func: FuncId, args: Vec<Value>, span: Span) -> Res<Value> {
        let call = || self.call(func, args, span);
        match stacker::maybe_grow(STACK_ROOM, STACK_STEP, call)? {
            Some(value) => Ok(value),
            None => fault(FaultCode::WrongType, span),
        }
    }

    /// The cell that the indexes name; nothing if one is outside or absent.
    pub(super) fn cell(&mut self, grid: &'a Grid, index: &'a [Expr]) -> Res<Option<usize>> {
        let mut cell = Some(0);
        for (axis, index) in grid.axes.iter().zip(index) {
            let at = match self.eval(index)? {
                Value::Elem(member) | Value::Opt(Some(member)) => Some(i64::from(member)),
                Value::Int(i) => i.checked_sub(axis.lo),
                Value::Wrap(i) => i64::from(i).checked_sub(axis.lo),
                Value::Opt(None) => None,
                _ => return fault(FaultCode::WrongType, index.span),
            };
            let at = at.and_then(|at| usize::try_from(at).ok());
            let at = at.filter(|&at| at < axis.len);
            cell = cell.zip(at).map(|(cell, at)| cell * axis.len + at);
        }
        Ok(cell.map(|cell| grid.base + cell))
    }

    fn lookup(&mut self, table: TableId, index: &'a [Expr], span: Span) -> Res<Value> {
        let table = &self.program.tables[table.index()];
        let cell = self.cell(&table.grid, index)?;
        match cell
            .map(|cell| &table.values[cell])
            .or(table.outside.as_ref())
        {
            Some(value) => Ok(value.clone()),
            None => fault(FaultCode::IndexOutside, span),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &'a Expr, expr: &'a Expr) -> Res<Value> {
        let value = self.eval(a)?;
        let result = match (op, value) {
            (UnaryOp::Not, Value::Bool(b)) => Some(Value::Bool(!b)),
            (UnaryOp::Neg, Value::Int(i)) => i.checked_neg().map(Value::Int),
            (UnaryOp::Neg, Value::Wrap(i)) => Some(Value::Wrap(i.wrapping_neg())),
            (UnaryOp::Abs, Value::Int(i)) => i.checked_abs().map(Value::Int),
            (UnaryOp::Abs, Value::Wrap(i)) => Some(Value::Wrap(i.wrapping_abs())),
            (UnaryOp::Complement, Value::Set(set)) => {
                let crate::ir::Type::Set(domain) = a.ty else {
                    return fault(FaultCode::WrongType, expr.span);
                };
                let all = Members::below(self.program.domain_len(domain));
                Some(Value::Set(all.combine(&set, |a, b| a & !b)))
            }
            _ => return fault(FaultCode::WrongType, expr.span),
        };
        match result {
            Some(value) => Ok(value),
            None => fault(FaultCode::Overflow, expr.span),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &'a Expr, b: &'a Expr, span: Span) -> Res<Value> {
        let left = self.eval(a)?;
        match (op, &left) {
            (BinaryOp::And, Value::Bool(false)) | (BinaryOp::Or, Value::Bool(true)) => {
                return Ok(left);
            }
            (BinaryOp::And | BinaryOp::Or, _) => return self.eval(b),
            _ => {}
        }
        let right = self.eval(b)?;
        match combine(op, left, right) {
            Ok(value) => Ok(value),
            Err(code) => fault(code, span),
        }
    }

    /// What a bound variable ranges over, in order.
    pub(super) fn items(&mut self, over: &'a Over) -> Res<Vec<Value>> {
        Ok(match over {
            Over::Domain(domain) => {
                let len = self.program.domain_len(*domain) as u32;
                (0..len).map(Value::Elem).collect()
            }
            Over::Set(set) => self.set(set)?.iter().map(Value::Elem).collect(),
            Over::Seq(seq) => as_seq(self.eval(seq)?, seq.span)?.to_vec(),
            Over::Range(from, to) => {
                let (from, to) = (self.int(from)?, self.int(to)?);
                (from..=to).map(Value::Int).collect()
            }
        })
    }

    /// Calls `f` with the value of the body for each item, until it says stop.
    fn each(
        &mut self,
        local: LocalId,
        over: &'a Over,
        body: &'a Expr,
        mut f: impl FnMut(&Value, Value) -> Res<bool>,
    ) -> Res<()> {
        let mut step = |run: &mut Self, item: Value| -> Res<bool> {
            run.set_local(local, item.clone());
            let value = run.eval(body)?;
            f(&item, value)
        };
        match over {
            Over::Domain(domain) => {
                for member in 0..self.program.domain_len(*domain) as u32 {
                    if step(self, Value::Elem(member))? {
                        break;
                    }
                }
            }
            Over::Set(set) => {
                for member in self.set(set)?.iter() {
                    if step(self, Value::Elem(member))? {
                        break;
                    }
                }
            }
            Over::Seq(_) | Over::Range(..) => {
                for item in self.items(over)? {
                    if step(self, item)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn fold(
        &mut self,
        fold: Fold,
        local: LocalId,
        over: &'a Over,
        body: &'a Expr,
        span: Span,
    ) -> Res<Value> {
        if matches!(fold, Fold::Forall | Fold::Exists) {
            let wanted = fold == Fold::Exists;
            let mut found = false;
            self.each(local, over, body, |_, value| {
                found = as_bool(value, span)? == wanted;
                Ok(found)
            })?;
            return Ok(Value::Bool(found == wanted));
        }
        let mut result = match fold {
            Fold::Min | Fold::Max => None,
            _ => Some(0_i64),
        };
        self.each(local, over, body, |_, value| {
            let before = result;
            result = match (fold, value) {
                (Fold::Count, Value::Bool(holds)) => before.map(|n| n + i64::from(holds)),
                (Fold::Sum, Value::Int(i)) => match before.and_then(|n| n.checked_add(i)) {
                    Some(sum) => Some(sum),
                    None => return fault(FaultCode::Overflow, span),
                },
                (Fold::Min, Value::Int(i)) => Some(before.map_or(i, |least| least.min(i))),
                (Fold::Max, Value::Int(i)) => Some(before.map_or(i, |most| most.max(i))),
                _ => return fault(FaultCode::WrongType, span),
            };
            Ok(false)
        })?;
        match result {
            Some(result) => Ok(Value::Int(result)),
            None => fault(FaultCode::NoValue, span),
        }
    }

    fn collect(&mut self, local: LocalId, over: &'a Over, when: &'a Expr) -> Res<Value> {
        let mut set = Members::EMPTY;
        self.each(local, over, when, |item, holds| {
            if as_bool(holds, when.span)? {
                set.insert(as_elem(item.clone(), when.span)?);
            }
            Ok(false)
        })?;
        Ok(Value::Set(set))
    }

    fn first(&mut self, local: LocalId, over: &'a Over, when: &'a Expr) -> Res<Value> {
        let mut first = None;
        self.each(local, over, when, |item, holds| {
            if as_bool(holds, when.span)? {
                first = Some(as_elem(item.clone(), when.span)?);
            }
            Ok(first.is_some())
        })?;
        Ok(Value::Opt(first))
    }

    fn walk(
        &mut self,
        start: &'a Expr,
        step: TableId,
        local: LocalId,
        pass: &'a Expr,
        give: WalkGive,
    ) -> Res<Value> {
        let table = &self.program.tables[step.index()];
        let mut next = self.opt(start)?;
        let (mut passed, mut set) = (0, Members::EMPTY);
        let (mut last, mut stop) = (None, None);
        while let Some(place) = next.filter(|_| passed < table.values.len()) {
            self.set_local(local, Value::Elem(place));
            if !self.bool(pass)? {
                stop = Some(place);
                if give == WalkGive::Reached {
                    set.insert(place);
                }
                break;
            }
            passed += 1;
            set.insert(place);
            last = Some(place);
            next = match &table.values[place as usize] {
                Value::Opt(next) => *next,
                _ => None,
            };
        }
        Ok(match give {
            WalkGive::Length => Value::Int(passed as i64),
            WalkGive::Passed | WalkGive::Reached => Value::Set(set),
            WalkGive::Last => Value::Opt(last),
            WalkGive::Stop => Value::Opt(stop),
        })
    }

    fn closure(
        &mut self,
        from: &'a Expr,
        edges: TableId,
        local: LocalId,
        pass: &'a Expr,
    ) -> Res<Value> {
        let table = &self.program.tables[edges.index()];
        let mut waiting = self.set(from)?;
        let (mut tested, mut reached) = (Members::EMPTY, Members::EMPTY);
        while let Some(member) = waiting.first() {
            tested.insert(member);
            self.set_local(local, Value::Elem(member));
            if self.bool(pass)? {
                reached.insert(member);
                if let Value::Set(neighbours) = &table.values[member as usize] {
                    waiting = waiting.combine(neighbours, |a, b| a | b);
                }
            }
            waiting = waiting.combine(&tested, |a, b| a & !b);
        }
        Ok(Value::Set(reached))
    }

    fn related(
        &mut self,
        relation: RelationId,
        args: &'a [Option<Expr>],
        span: Span,
    ) -> Res<Value> {
        let relation = self.program.game.relation(relation);
        let mut values = Vec::with_capacity(args.len());
        let mut open = 0;
        for (index, arg) in args.iter().enumerate() {
            values.push(match arg {
                Some(arg) => self.eval(arg)?,
                None => {
                    open = index;
                    Value::Elem(0)
                }
            });
        }
        let mut members = Members::EMPTY;
        for member in 0..self.program.domain_len(relation.params[open]) as u32 {
            values[open] = Value::Elem(member);
            let holds = self.value_of(relation.holds, values.clone(), span)?;
            if as_bool(holds, span)? {
                members.insert(member);
            }
        }
        Ok(Value::Set(members))
    }
}

fn combine(op: BinaryOp, left: Value, right: Value) -> Result<Value, FaultCode> {
    use BinaryOp as B;
    match op {
        B::Eq => return Ok(Value::Bool(left == right)),
        B::Ne => return Ok(Value::Bool(left != right)),
        _ => {}
    }
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => integers(op, a, b),
        (Value::Wrap(a), Value::Wrap(b)) => wrapping(op, a, b),
        (Value::Set(a), Value::Set(b)) => sets(op, &a, &b),
        (Value::Seq(a), Value::Seq(b)) if op != B::In => sequences(op, &a, &b),
        (Value::Elem(a), Value::Set(set)) if op == B::In => Ok(Value::Bool(set.contains(a))),
        (item, Value::Seq(items)) if op == B::In => Ok(Value::Bool(items.contains(&item))),
        _ => Err(FaultCode::WrongType),
    }
}

fn compare(op: BinaryOp, order: Ordering) -> Option<Value> {
    let holds = match op {
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Ge => order.is_ge(),
        _ => return None,
    };
    Some(Value::Bool(holds))
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Result<Value, FaultCode> {
    use BinaryOp as B;
    if let Some(value) = compare(op, a.cmp(&b)) {
        return Ok(value);
    }
    if matches!(op, B::Div | B::Rem | B::RemEuclid) && b == 0 {
        return Err(FaultCode::DivisionByZero);
    }
    let value = match op {
        B::Add => a.checked_add(b),
        B::Sub => a.checked_sub(b),
        B::Mul => a.checked_mul(b),
        B::Div => a.checked_div(b),
        B::Rem => Some(a.wrapping_rem(b)),
        B::RemEuclid => Some(a.wrapping_rem_euclid(b)),
        B::Min => Some(a.min(b)),
        B::Max => Some(a.max(b)),
        _ => return Err(FaultCode::WrongType),
    };
    value.map(Value::Int).ok_or(FaultCode::Overflow)
}

fn wrapping(op: BinaryOp, a: i32, b: i32) -> Result<Value, FaultCode> {
    use BinaryOp as B;
    if let Some(value) = compare(op, a.cmp(&b)) {
        return Ok(value);
    }
    if matches!(op, B::Div | B::Rem | B::RemEuclid) && b == 0 {
        return Err(FaultCode::DivisionByZero);
    }
    Ok(Value::Wrap(match op {
        B::Add => a.wrapping_add(b),
        B::Sub => a.wrapping_sub(b),
        B::Mul => a.wrapping_mul(b),
        B::Div => a.wrapping_div(b),
        B::Rem => a.wrapping_rem(b),
        B::RemEuclid => a.wrapping_rem_euclid(b),
        B::Min => a.min(b),
        B::Max => a.max(b),
        _ => return Err(FaultCode::WrongType),
    }))
}

fn sets(op: BinaryOp, a: &Members, b: &Members) -> Result<Value, FaultCode> {
    Ok(match op {
        BinaryOp::Union => Value::Set(a.combine(b, |a, b| a | b)),
        BinaryOp::Intersect => Value::Set(a.combine(b, |a, b| a & b)),
        BinaryOp::Minus => Value::Set(a.combine(b, |a, b| a & !b)),
        BinaryOp::Subset => Value::Bool(a.is_subset(b)),
        _ => return Err(FaultCode::WrongType),
    })
}

fn sequences(op: BinaryOp, a: &[Value], b: &[Value]) -> Result<Value, FaultCode> {
    let items: Vec<Value> = match op {
        BinaryOp::Concat => a.iter().chain(b).cloned().collect(),
        BinaryOp::SeqIntersect => a.iter().filter(|item| b.contains(item)).cloned().collect(),
        BinaryOp::SeqMinus => a.iter().filter(|item| !b.contains(item)).cloned().collect(),
        BinaryOp::SeqSubset => return Ok(Value::Bool(a.iter().all(|item| b.contains(item)))),
        _ => return Err(FaultCode::WrongType),
    };
    Ok(Value::Seq(Arc::new(items)))
}

impl Program {
    /// The integer that a member stands for, as text.
    pub(super) fn value_text(&self, value: &Value, ty: &crate::ir::Type) -> String {
        use crate::ir::Type;
        let domain = match ty {
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => Some(domain),
            _ => None,
        };
        let name = |member: u32| match domain {
            Some(domain) => self.game.domain(*domain).member(member),
            None => member.to_string(),
        };
        match (value, ty) {
            (Value::Bool(b), _) => b.to_string(),
            (Value::Int(i), _) => i.to_string(),
            (Value::Wrap(i), _) => i.to_string(),
            (Value::Elem(member) | Value::Opt(Some(member)), _) => name(*member),
            (Value::Opt(None), _) => String::from("-"),
            (Value::Set(set), _) => {
                let names: Vec<String> = set.iter().map(name).collect();
                format!("{{{}}}", names.join(","))
            }
            (Value::Seq(items), Type::Seq { item, .. }) => {
                let texts: Vec<String> = items.iter().map(|i| self.value_text(i, item)).collect();
                format!("[{}]", texts.join(","))
            }
            (Value::Seq(_), _) => String::from("[]"),
            (Value::Tagged(tag, value), _) => self.value_text(value, &tag.ty()),
        }
    }
}
