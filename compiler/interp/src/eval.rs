//! The value of an expression.
//!
//! Scalars are evaluated as numbers ([`Run::num`]), everything else as values ([`Run::eval`]).

use std::cmp::Ordering;
use std::sync::Arc;

use super::nest;
use super::node::{Bound, Kind, Node, Source};
use super::program::{Grid, Program};
use super::run::{Halt, Run};
use super::state::Fault;
use super::value::{Class, Members, Value};
use crate::ir::{BinaryOp, FaultCode, Fold, FuncId, IdentityId, WalkGive};
use crate::source::Span;

/// Bytes of stack that the expressions of one function may need, and how much is added where less is
/// left: [`MAX_NESTING`](crate::ir::verify::MAX_NESTING) levels of evaluation.
const STACK_ROOM: usize = 512 << 10;
const STACK_STEP: usize = 8 << 20;

/// A result, or what ended the evaluation.
pub(super) type Res<T> = Result<T, Box<Halt>>;

#[cold]
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
payload!(as_set, Set, Members);
payload!(as_seq, Seq, Arc<Vec<Value>>);

/// A member, or nothing, as a number.
fn optional(member: Option<u32>) -> i64 {
    member.map_or(-1, i64::from)
}

impl<'a> Run<'a> {
    /// The value of any expression.
    pub(super) fn eval(&mut self, node: &'a Node) -> Res<Value> {
        match node.class {
            Class::Whole => self.whole(node),
            class => Ok(class.value(self.num(node)?)),
        }
    }

    /// The value of a scalar expression as a number.
    #[inline]
    pub(super) fn num(&mut self, node: &'a Node) -> Res<i64> {
        match self.record {
            None => self.num_now(node),
            Some(_) => self.noted(node, Self::num_now, |number| node.class.value(*number)),
        }
    }

    fn num_now(&mut self, node: &'a Node) -> Res<i64> {
        self.steps.count += 1;
        let args = &node.args;
        Ok(match &node.kind {
            Kind::Number(number) => *number,
            Kind::Local(local) => return self.local(*local, node.span).map(Value::number),
            Kind::Env(var) => match &self.env[*var] {
                Some(value) => value.number(),
                None => return fault(FaultCode::UnsetVariable, node.span),
            },
            Kind::Lookup(table) => {
                let table = &self.program.tables[*table];
                match self.cell(&table.grid, args)? {
                    Some(cell) => table.numbers[cell],
                    None => match &table.outside {
                        Some(value) => value.number(),
                        None => return fault(FaultCode::IndexOutside, node.span),
                    },
                }
            }
            Kind::Var(var) => {
                let cell = self.cell(&self.program.vars[*var], args)?;
                match cell {
                    Some(cell) => self.core.vars[cell].number(),
                    None => return fault(FaultCode::IndexOutside, node.span),
                }
            }
            Kind::PlaceOf(placement) => {
                let piece = self.elem(&args[0])?;
                optional(self.core.placed[*placement].place_of(piece))
            }
            Kind::Content(placement) => {
                let place = self.elem(&args[0])?;
                optional(self.core.placed[*placement].content(place))
            }
            Kind::Same => self.num(&args[0])?,
            Kind::Not => i64::from(self.num(&args[0])? == 0),
            Kind::And => match self.num(&args[0])? {
                0 => 0,
                _ => self.num(&args[1])?,
            },
            Kind::Or => match self.num(&args[0])? {
                0 => self.num(&args[1])?,
                _ => 1,
            },
            Kind::Equal(wanted) => {
                let left = self.num(&args[0])?;
                i64::from((left == self.num(&args[1])?) == *wanted)
            }
            Kind::Compare(op) => {
                let left = self.num(&args[0])?;
                i64::from(holds(*op, left.cmp(&self.num(&args[1])?)))
            }
            Kind::Arithmetic(op) => {
                let left = self.num(&args[0])?;
                let right = self.num(&args[1])?;
                let result = match node.class {
                    Class::Wrap => wrapping(*op, left as i32, right as i32),
                    _ => integers(*op, left, right),
                };
                match result {
                    Ok(number) => number,
                    Err(code) => return fault(code, node.span),
                }
            }
            Kind::If => match self.num(&args[0])? {
                0 => self.num(&args[2])?,
                _ => self.num(&args[1])?,
            },
            Kind::IsSome => i64::from(self.num(&args[0])? >= 0),
            Kind::Get => match self.num(&args[0])? {
                -1 => return fault(FaultCode::NoValue, node.span),
                member => member,
            },
            Kind::InSet => {
                let member = self.elem(&args[0])?;
                match &args[1].kind {
                    Kind::Const(Value::Set(set)) => i64::from(set.contains(member)),
                    _ => i64::from(self.set(&args[1])?.contains(member)),
                }
            }
            Kind::ToWrap => i64::from(self.num(&args[0])? as i32),
            _ => return self.num_more(node),
        })
    }

    fn num_more(&mut self, node: &'a Node) -> Res<i64> {
        let args = &node.args;
        Ok(match &node.kind {
            Kind::EnvIsSet(var) => i64::from(self.env[*var].is_some()),
            Kind::OrElse => match self.num(&args[0])? {
                -1 => self.num(&args[1])?,
                member => member,
            },
            Kind::Ordinal(first) => first + self.num(&args[0])?,
            Kind::Member(first, len) => {
                let at = self.num(&args[0])?.checked_sub(*first);
                let at = at.filter(|at| (0..*len as i64).contains(at));
                at.unwrap_or(-1)
            }
            Kind::Neg | Kind::Abs => {
                let number = self.num(&args[0])?;
                let result = match (&node.kind, node.class) {
                    (Kind::Neg, Class::Wrap) => Some(i64::from((number as i32).wrapping_neg())),
                    (Kind::Neg, _) => number.checked_neg(),
                    (_, Class::Wrap) => Some(i64::from((number as i32).wrapping_abs())),
                    (..) => number.checked_abs(),
                };
                match result {
                    Some(number) => number,
                    None => return fault(FaultCode::Overflow, node.span),
                }
            }
            Kind::Fold(fold, bound) => self.fold(*fold, *bound, node)?,
            Kind::First(bound) => {
                let mut first = -1;
                self.each(*bound, node, |run, item, when| {
                    if run.bool(when)? {
                        first = item;
                    }
                    Ok(first >= 0)
                })?;
                first
            }
            Kind::EqualWhole(wanted) => {
                let left = self.eval(&args[0])?;
                i64::from((left == self.eval(&args[1])?) == *wanted)
            }
            Kind::InSeq => {
                let item = self.eval(&args[0])?;
                i64::from(self.seq(&args[1])?.contains(&item))
            }
            Kind::Subset => {
                let left = self.set(&args[0])?;
                i64::from(left.is_subset(&self.set(&args[1])?))
            }
            Kind::SeqSubset => {
                let left = self.seq(&args[0])?;
                let right = self.seq(&args[1])?;
                i64::from(left.iter().all(|item| right.contains(item)))
            }
            Kind::SetSize => self.set(&args[0])?.len() as i64,
            Kind::SeqSize => self.seq(&args[0])?.len() as i64,
            Kind::Item => self.item(node)?.number(),
            Kind::Walk { .. } => self.walk(node)?.number(),
            Kind::Call(func) => self.value_of(*func, args, node.span)?.number(),
            Kind::Untag(wanted) => match self.whole(&args[0])? {
                Value::Tagged(tag, value) if tag == *wanted => value.number(),
                _ => return fault(FaultCode::WrongType, node.span),
            },
            Kind::HasTag(wanted) => match self.whole(&args[0])? {
                Value::Tagged(tag, _) => i64::from(*wanted == Some(tag)),
                _ => return fault(FaultCode::WrongType, node.span),
            },
            Kind::Seen(trail) => self.seen(*trail),
            Kind::Alike(identity) => i64::from(self.alike(*identity, args)?),
            _ => return fault(FaultCode::WrongType, node.span),
        })
    }

    /// The value of an expression that is no scalar, or a tagged one.
    #[inline]
    fn whole(&mut self, node: &'a Node) -> Res<Value> {
        match self.record {
            None => self.whole_now(node),
            Some(_) => self.noted(node, Self::whole_now, Value::clone),
        }
    }

    fn whole_now(&mut self, node: &'a Node) -> Res<Value> {
        let args = &node.args;
        Ok(match &node.kind {
            Kind::Const(value) => value.clone(),
            Kind::Local(local) => self.local(*local, node.span)?.clone(),
            Kind::Env(var) => match &self.env[*var] {
                Some(value) => value.clone(),
                None => return fault(FaultCode::UnsetVariable, node.span),
            },
            Kind::Var(var) => match self.cell(&self.program.vars[*var], args)? {
                Some(cell) => self.core.vars[cell].clone(),
                None => return fault(FaultCode::IndexOutside, node.span),
            },
            Kind::Lookup(table) => {
                let table = &self.program.tables[*table];
                let cell = self.cell(&table.grid, args)?;
                match cell
                    .map(|cell| &table.values[cell])
                    .or(table.outside.as_ref())
                {
                    Some(value) => value.clone(),
                    None => return fault(FaultCode::IndexOutside, node.span),
                }
            }
            Kind::Contents(placement) => {
                let place = self.elem(&args[0])?;
                Value::Set(self.core.placed[*placement].contents(place))
            }
            Kind::Places(placement) => {
                let kind = self.elem(&args[0])?;
                Value::Set(self.core.placed[*placement].places(kind))
            }
            Kind::Sets(op) => {
                let left = self.set(&args[0])?;
                let right = self.set(&args[1])?;
                Value::Set(match op {
                    BinaryOp::Union => left.combine(&right, |a, b| a | b),
                    BinaryOp::Intersect => left.combine(&right, |a, b| a & b),
                    BinaryOp::Minus => left.combine(&right, |a, b| a & !b),
                    op => {
                        let both = left.combine(&right, |a, b| a & b);
                        let end = match op {
                            BinaryOp::UpTo => both.iter().next(),
                            _ => both.iter().last(),
                        };
                        let kept = left.iter().filter(|&member| match (op, end) {
                            (_, None) => true,
                            (BinaryOp::UpTo, Some(end)) => member <= end,
                            (_, Some(end)) => member >= end,
                        });
                        kept.collect()
                    }
                })
            }
            Kind::Complement(len) => {
                let set = self.set(&args[0])?;
                Value::Set(Members::below(*len).combine(&set, |a, b| a & !b))
            }
            Kind::If => match self.num(&args[0])? {
                0 => self.whole(&args[2])?,
                _ => self.whole(&args[1])?,
            },
            Kind::SetOf => {
                let mut set = Members::EMPTY;
                for item in args {
                    set.insert(self.elem(item)?);
                }
                Value::Set(set)
            }
            Kind::Collect(bound) => {
                let mut set = Members::EMPTY;
                self.each(*bound, node, |run, item, when| {
                    if run.bool(when)? {
                        set.insert(item as u32);
                    }
                    Ok(false)
                })?;
                Value::Set(set)
            }
            Kind::Call(func) => self.value_of(*func, args, node.span)?,
            _ => return self.whole_more(node),
        })
    }

    fn whole_more(&mut self, node: &'a Node) -> Res<Value> {
        let args = &node.args;
        Ok(match &node.kind {
            Kind::SeqOf => Value::Seq(Arc::new(self.all(args)?)),
            Kind::Seqs(op) => {
                let left = self.seq(&args[0])?;
                let right = self.seq(&args[1])?;
                Value::Seq(Arc::new(sequences(*op, &left, &right)))
            }
            Kind::Item => self.item(node)?,
            Kind::Tag(tag) => Value::Tagged(*tag, Arc::new(self.eval(&args[0])?)),
            Kind::Walk { .. } => self.walk(node)?,
            Kind::Closure { local, edges } => self.closure(*local, *edges, args)?,
            Kind::Related { holds, open, len } => self.related(*holds, *open, *len, node)?,
            _ => return fault(FaultCode::WrongType, node.span),
        })
    }

    pub(super) fn bool(&mut self, node: &'a Node) -> Res<bool> {
        Ok(self.num(node)? != 0)
    }

    pub(super) fn elem(&mut self, node: &'a Node) -> Res<u32> {
        Ok(self.num(node)? as u32)
    }

    /// A member or nothing.
    pub(super) fn opt(&mut self, node: &'a Node) -> Res<Option<u32>> {
        Ok(u32::try_from(self.num(node)?).ok())
    }

    pub(super) fn set(&mut self, node: &'a Node) -> Res<Members> {
        as_set(self.whole(node)?, node.span)
    }

    fn seq(&mut self, node: &'a Node) -> Res<Arc<Vec<Value>>> {
        as_seq(self.whole(node)?, node.span)
    }

    pub(super) fn all(&mut self, nodes: &'a [Node]) -> Res<Vec<Value>> {
        nodes.iter().map(|node| self.eval(node)).collect()
    }

    fn item(&mut self, node: &'a Node) -> Res<Value> {
        let items = self.seq(&node.args[0])?;
        let at = self.num(&node.args[1])?;
        match usize::try_from(at).ok().and_then(|at| items.get(at)) {
            Some(item) => Ok(item.clone()),
            None => fault(FaultCode::IndexOutside, node.span),
        }
    }

    /// The value of a function, on a stack with room for the expressions of its body.
    fn value_of(&mut self, func: FuncId, args: &'a [Node], span: Span) -> Res<Value> {
        self.push_args(args)?;
        self.value_on(func, args.len(), span)
    }

    /// The value of a function whose arguments lie on the stack.
    fn value_on(&mut self, func: FuncId, args: usize, span: Span) -> Res<Value> {
        let call = || self.call(func, args, span);
        match stacker::maybe_grow(STACK_ROOM, STACK_STEP, call)? {
            Some(value) => Ok(value),
            None => fault(FaultCode::WrongType, span),
        }
    }

    /// The cell that the indexes name; nothing if one is outside or absent.
    pub(super) fn cell(&mut self, grid: &'a Grid, index: &'a [Node]) -> Res<Option<usize>> {
        let mut cell = grid.base;
        let mut inside = true;
        for (axis, index) in grid.axes.iter().zip(index) {
            // What is absent is -1 and an axis of members begins at 0.
            let at = self.num(index)?.wrapping_sub(axis.lo) as u64;
            inside &= at < axis.len as u64;
            cell = cell.wrapping_add((at as usize).wrapping_mul(axis.stride));
        }
        Ok(inside.then_some(cell))
    }

    /// What a bound variable ranges over, in order; `args` are the operands of the source.
    pub(super) fn items(&mut self, over: Source, args: &'a [Node]) -> Res<Vec<Value>> {
        Ok(match over {
            Source::Domain(len) => (0..len as u32).map(Value::Elem).collect(),
            Source::Set => self.set(&args[0])?.iter().map(Value::Elem).collect(),
            Source::Seq => self.seq(&args[0])?.to_vec(),
            Source::Range => {
                let (from, to) = (self.num(&args[0])?, self.num(&args[1])?);
                (from..=to).map(Value::Int).collect()
            }
        })
    }

    /// Binds each item in turn and calls `f` with its number and the last operand, until it says stop.
    fn each(
        &mut self,
        bound: Bound,
        node: &'a Node,
        mut f: impl FnMut(&mut Self, i64, &'a Node) -> Res<bool>,
    ) -> Res<()> {
        let Some((body, over)) = node.args.split_last() else {
            return fault(FaultCode::WrongType, node.span);
        };
        match bound.over {
            Source::Domain(len) => {
                for member in 0..len as u32 {
                    self.set_local(bound.local, Value::Elem(member));
                    if f(self, i64::from(member), body)? {
                        break;
                    }
                }
            }
            Source::Set => {
                let set = self.set(&over[0])?;
                let mut next = set.next(0);
                while let Some(member) = next {
                    self.set_local(bound.local, Value::Elem(member));
                    if f(self, i64::from(member), body)? {
                        break;
                    }
                    next = set.next(member + 1);
                }
            }
            Source::Seq => {
                for item in self.seq(&over[0])?.iter() {
                    self.set_local(bound.local, item.clone());
                    if f(self, item.number(), body)? {
                        break;
                    }
                }
            }
            Source::Range => {
                let (from, to) = (self.num(&over[0])?, self.num(&over[1])?);
                for item in from..=to {
                    self.set_local(bound.local, Value::Int(item));
                    if f(self, item, body)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn fold(&mut self, fold: Fold, bound: Bound, node: &'a Node) -> Res<i64> {
        let mut result = match fold {
            Fold::Min | Fold::Max => None,
            Fold::Forall => Some(1),
            Fold::Exists | Fold::Count | Fold::Sum => Some(0_i64),
        };
        self.each(bound, node, |run, _, body| {
            let now = run.num(body)?;
            result = match (fold, result) {
                (Fold::Forall | Fold::Exists, _) => Some(now),
                (Fold::Count, before) => before.map(|n| n + now),
                (Fold::Sum, before) => match before.and_then(|n| n.checked_add(now)) {
                    Some(sum) => Some(sum),
                    None => return fault(FaultCode::Overflow, node.span),
                },
                (Fold::Min, before) => Some(before.map_or(now, |least| least.min(now))),
                (Fold::Max, before) => Some(before.map_or(now, |most| most.max(now))),
            };
            Ok(match fold {
                Fold::Forall => now == 0,
                Fold::Exists => now != 0,
                _ => false,
            })
        })?;
        match result {
            Some(result) => Ok(result),
            None => fault(FaultCode::NoValue, node.span),
        }
    }

    fn walk(&mut self, node: &'a Node) -> Res<Value> {
        let Kind::Walk { local, step, give } = node.kind else {
            return fault(FaultCode::WrongType, node.span);
        };
        let table = &self.program.tables[step];
        let mut next = self.opt(&node.args[0])?;
        let (mut passed, mut set) = (0, Members::EMPTY);
        let (mut last, mut stop) = (None, None);
        while let Some(place) = next.filter(|_| passed < table.numbers.len()) {
            self.set_local(local, Value::Elem(place));
            if !self.bool(&node.args[1])? {
                stop = Some(place);
                if give == WalkGive::Reached {
                    set.insert(place);
                }
                break;
            }
            passed += 1;
            if matches!(give, WalkGive::Passed | WalkGive::Reached) {
                set.insert(place);
            }
            last = Some(place);
            next = u32::try_from(table.numbers[place as usize]).ok();
        }
        Ok(match give {
            WalkGive::Length => Value::Int(passed as i64),
            WalkGive::Passed | WalkGive::Reached => Value::Set(set),
            WalkGive::Last => Value::Opt(last),
            WalkGive::Stop => Value::Opt(stop),
        })
    }

    fn closure(&mut self, local: usize, edges: usize, args: &'a [Node]) -> Res<Value> {
        let table = &self.program.tables[edges];
        let mut waiting = self.set(&args[0])?;
        let (mut tested, mut reached) = (Members::EMPTY, Members::EMPTY);
        while let Some(member) = waiting.first() {
            tested.insert(member);
            self.set_local(local, Value::Elem(member));
            if self.bool(&args[1])? {
                reached.insert(member);
                if let Value::Set(neighbours) = &table.values[member as usize] {
                    waiting = waiting.combine(neighbours, |a, b| a | b);
                }
            }
            waiting = waiting.combine(&tested, |a, b| a & !b);
        }
        Ok(Value::Set(reached))
    }

    fn related(&mut self, holds: FuncId, open: usize, len: usize, node: &'a Node) -> Res<Value> {
        let mut values = self.all(&node.args)?;
        values.insert(open, Value::Elem(0));
        let mut members = Members::EMPTY;
        for member in 0..len as u32 {
            values[open] = Value::Elem(member);
            self.push_values(&values);
            let holds = self.value_on(holds, values.len(), node.span)?;
            if as_bool(holds, node.span)? {
                members.insert(member);
            }
        }
        Ok(Value::Set(members))
    }

    /// Whether a renaming takes the first member to the second and keeps the others.
    fn alike(&mut self, identity: IdentityId, args: &'a [Node]) -> Res<bool> {
        let mut members = Vec::with_capacity(args.len());
        for arg in args {
            members.push(self.num(arg)? as u32);
        }
        let (pair, fixed) = members.split_at(2);
        let program = self.program;
        Ok(pair[0] == pair[1]
            || nest::alike(program, &self.core, identity, [pair[0], pair[1]], fixed))
    }

    /// How often the present position is in a trail.
    fn seen(&self, trail: usize) -> i64 {
        let seen = &self.core.trails[trail];
        if seen.is_empty() {
            return 0;
        }
        let now = self.terms(self.program.game.trails[trail].identity);
        seen.iter().filter(|then| then[..] == now[..]).count() as i64
    }
}

fn holds(op: BinaryOp, order: Ordering) -> bool {
    match op {
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn integers(op: BinaryOp, a: i64, b: i64) -> Result<i64, FaultCode> {
    use BinaryOp as B;
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
    value.ok_or(FaultCode::Overflow)
}

fn wrapping(op: BinaryOp, a: i32, b: i32) -> Result<i64, FaultCode> {
    use BinaryOp as B;
    if matches!(op, B::Div | B::Rem | B::RemEuclid) && b == 0 {
        return Err(FaultCode::DivisionByZero);
    }
    Ok(i64::from(match op {
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

fn sequences(op: BinaryOp, a: &[Value], b: &[Value]) -> Vec<Value> {
    match op {
        BinaryOp::SeqIntersect => a.iter().filter(|item| b.contains(item)).cloned().collect(),
        BinaryOp::SeqMinus => a.iter().filter(|item| !b.contains(item)).cloned().collect(),
        _ => a.iter().chain(b).cloned().collect(),
    }
}

impl Program {
    /// The canonical text of a value.
    pub(super) fn value_text(&self, value: &Value, ty: &crate::ir::Type) -> String {
        let mut text = String::new();
        self.put_value(value, ty, &mut text);
        text
    }

    /// Appends the canonical text of a value.
    pub(super) fn put_value(&self, value: &Value, ty: &crate::ir::Type, out: &mut String) {
        use crate::ir::Type;
        match (value, ty) {
            (Value::Bool(b), _) => out.push_str(if *b { "true" } else { "false" }),
            (Value::Int(i), _) => put_number(*i, out),
            (Value::Wrap(i), _) => put_number(i64::from(*i), out),
            (Value::Elem(member) | Value::Opt(Some(member)), _) => {
                self.put_member(*member, ty, out);
            }
            (Value::Opt(None), _) => out.push('-'),
            (Value::Set(set), _) => {
                out.push('{');
                for (place, member) in set.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.put_member(member, ty, out);
                }
                out.push('}');
            }
            (Value::Seq(items), Type::Seq { item: ty, .. }) => {
                out.push('[');
                for (place, item) in items.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.put_value(item, ty, out);
                }
                out.push(']');
            }
            (Value::Seq(_), _) => out.push_str("[]"),
            (Value::Tagged(tag, value), _) => self.put_value(value, &tag.ty(), out),
        }
    }

    fn put_member(&self, member: u32, ty: &crate::ir::Type, out: &mut String) {
        use crate::ir::Type;
        match ty {
            Type::Elem(domain) | Type::Opt(domain) | Type::Set(domain) => {
                out.push_str(self.names[domain.index()].text(member));
            }
            _ => put_number(i64::from(member), out),
        }
    }
}

/// Appends an integer in decimal.
pub(super) fn put_number(number: i64, out: &mut String) {
    if number < 0 {
        out.push('-');
    }
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    while rest > 0 || at == digits.len() {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}
