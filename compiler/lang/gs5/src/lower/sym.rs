//! Expressions over sets, evaluated while the rules are compiled.
//!
//! The value of an expression is a list of alternatives: a value, and when it belongs to the set. How many there are is
//! known at compile time, and what does not depend on the position folds away. Values of a few possible ones, such as the
//! bucket of an earlier piece, are alternatives for each; others are expressions of the IR.

use super::Lower;
use crate::ast::{self, ExprKind, Op};
use crate::ir::visit::expr_nodes;
use crate::ir::{BinaryOp, Expr, Type};
use crate::source::Span;

/// Most alternatives of a value.
const MAX_ALTERNATIVES: usize = 4096;

/// Parts of the condition of an alternative from which on it is brought into its normal form.
const LONG: usize = 64;

/// Parts of conditions that the expressions of a rule set may come to while they are evaluated.
const MAX_PARTS: usize = 1 << 22;

/// A truth value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Truth {
    No,
    Yes,
    When(Expr),
}

/// An integer, or the number of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Num {
    Known(i32),
    Computed(Expr),
}

/// A member of a set.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(Num),
    Text(Num),
    Piece(Piece),
}

/// A piece: of the place under test, or one that was removed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) unit: Unit,
    /// Its bucket: that under test, or a variable.
    pub(super) bucket: Bucket,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    This,
    /// A member.
    Removed(Expr),
    /// A piece of a known kind in a known place.
    Known {
        kind: usize,
        place: u32,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bucket {
    Known(u32),
    /// An optional bucket.
    Stored(Expr),
}

/// A value and when it belongs to the set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alternative {
    pub(super) when: Truth,
    pub(super) value: Value,
}

/// A set of values.
pub(super) type Set = Vec<Alternative>;

/// What is known of the piece under test.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Its kind: one of a class of kinds that the expression does not tell apart, or that of a unit.
    pub(super) kind: KindOf,
    pub(super) place: PlaceOf,
    /// The bucket under test.
    pub(super) bucket: u32,
    /// Whether anything can have been removed before.
    pub(super) memory: bool,
}

#[derive(Clone, Debug)]
pub(super) enum KindOf {
    Known(usize),
    Of(Expr),
}

#[derive(Clone, Debug)]
pub(super) enum PlaceOf {
    Known(u32),
    /// The nearest bucket is all that is known.
    Near(u32),
    /// A unit.
    Of(Expr),
    /// Nothing is known, and nothing asks.
    Any,
}

/// Why an expression has no value here.
#[derive(Clone, Debug)]
pub(super) struct TooMany(pub(super) Span);

impl Truth {
    pub(super) fn of(value: bool) -> Truth {
        if value { Truth::Yes } else { Truth::No }
    }

    pub(super) fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, other) | (other, Truth::Yes) => other,
            (Truth::When(a), Truth::When(b)) if a == b => Truth::When(a),
            (Truth::When(a), Truth::When(b)) => Truth::When(a.and(b)),
        }
    }

    pub(super) fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Yes, _) | (_, Truth::Yes) => Truth::Yes,
            (Truth::No, other) | (other, Truth::No) => other,
            (Truth::When(a), Truth::When(b)) if a == b => Truth::When(a),
            (Truth::When(a), Truth::When(b)) => Truth::When(a.or(b)),
        }
    }

    pub(super) fn not(self) -> Truth {
        match self {
            Truth::No => Truth::Yes,
            Truth::Yes => Truth::No,
            Truth::When(a) => Truth::When(a.not()),
        }
    }

    pub(super) fn any(items: impl Iterator<Item = Truth>) -> Truth {
        items.fold(Truth::No, Truth::or)
    }
}

impl Num {
    pub(super) fn expr(self, span: Span) -> Expr {
        match self {
            Num::Known(n) => Expr::wrap(n, span),
            Num::Computed(expr) => expr,
        }
    }

    /// A comparison of two numbers.
    pub(super) fn compare(op: Op, a: Num, b: Num, span: Span) -> Truth {
        if let (Num::Known(a), Num::Known(b)) = (&a, &b) {
            return Truth::of(match op {
                Op::Eq => a == b,
                Op::Ne => a != b,
                Op::Lt => a < b,
                Op::Le => a <= b,
                Op::Gt => a > b,
                _ => a >= b,
            });
        }
        let op = match op {
            Op::Eq => BinaryOp::Eq,
            Op::Ne => BinaryOp::Ne,
            Op::Lt => BinaryOp::Lt,
            Op::Le => BinaryOp::Le,
            Op::Gt => BinaryOp::Gt,
            _ => BinaryOp::Ge,
        };
        Truth::When(Expr::binary(op, a.expr(span), b.expr(span)).at(span))
    }

    /// The result of an operation, and when there is one.
    fn arithmetic(op: Op, a: Num, b: Num, span: Span) -> (Truth, Num) {
        let divides = matches!(op, Op::Div | Op::Rem);
        let defined = match &b {
            Num::Known(0) if divides => return (Truth::No, Num::Known(0)),
            Num::Computed(_) if divides => Num::compare(Op::Ne, b.clone(), Num::Known(0), span),
            _ => Truth::Yes,
        };
        if let (Num::Known(a), Num::Known(b)) = (&a, &b) {
            let value = match op {
                Op::Add => a.wrapping_add(*b),
                Op::Sub => a.wrapping_sub(*b),
                Op::Mul => a.wrapping_mul(*b),
                Op::Div => a.wrapping_div(*b),
                _ => a.wrapping_rem(*b),
            };
            return (Truth::Yes, Num::Known(value));
        }
        let op = match op {
            Op::Add => BinaryOp::Add,
            Op::Sub => BinaryOp::Sub,
            Op::Mul => BinaryOp::Mul,
            Op::Div => BinaryOp::Div,
            _ => BinaryOp::Rem,
        };
        // Where the result exists only for some operands, its test stands before it: see `Alternative::when`.
        let value = Expr::binary(op, a.expr(span), b.expr(span)).at(span);
        (defined, Num::Computed(value))
    }
}

/// Whether a set has a member.
pub(super) fn holds(set: &Set) -> Truth {
    Truth::any(set.iter().map(|item| item.when.clone()))
}

/// Joins alternatives of equal known values.
fn merged(set: Set) -> Set {
    let mut out: Set = Vec::new();
    for item in set {
        if item.when == Truth::No {
            continue;
        }
        match out.iter_mut().find(|other| other.value == item.value) {
            Some(other) => {
                let before = std::mem::replace(&mut other.when, Truth::No);
                other.when = before.or(item.when);
            }
            None => out.push(item),
        }
    }
    out
}

fn one(value: Value) -> Set {
    vec![Alternative {
        when: Truth::Yes,
        value,
    }]
}

/// The member of an optional one that is tested before: any where there is none, which cannot fault.
pub(super) fn sure(value: Expr, span: Span) -> Expr {
    let Type::Opt(domain) = value.ty else {
        return value;
    };
    let any = Expr::elem(domain, 0, span);
    let kind = crate::ir::ExprKind::OrElse(Box::new(value), Box::new(any));
    Expr::new(kind, Type::Elem(domain), span)
}

pub(super) fn number(n: i32) -> Value {
    Value::Int(Num::Known(n))
}

impl Lower<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: &ast::Expr, subject: &Subject) -> Result<Set, TooMany> {
        let span = expr.span;
        Ok(match &expr.kind {
            ExprKind::Group(inner) => self.eval(inner, subject)?,
            ExprKind::Number(n) => one(number(*n)),
            ExprKind::Text(text) => one(Value::Text(Num::Known(self.text_number(text)))),
            ExprKind::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(self.eval(item, subject)?);
                }
                merged(all)
            }
            ExprKind::Not(inner) => {
                let inner = self.eval(inner, subject)?;
                vec![Alternative {
                    when: holds(&inner).not(),
                    value: number(1),
                }]
            }
            ExprKind::Name(path) => self.name(path, subject, span)?,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a, subject)?, self.eval(b, subject)?);
                if a.len() * b.len() > MAX_ALTERNATIVES {
                    return Err(TooMany(span));
                }
                let found = match op.compares() {
                    true => self.comparison(*op, &a, &b, subject, span),
                    false => self.arithmetic(*op, &a, &b, span),
                };
                self.shortened(found, span)?
            }
            ExprKind::Star | ExprKind::Range(..) => Vec::new(),
        })
    }

    /// The same values, with long conditions in their normal form.
    fn shortened(&mut self, set: Set, span: Span) -> Result<Set, TooMany> {
        let mut short = Set::new();
        for Alternative { when, value } in set {
            let parts = match &when {
                Truth::When(expr) => expr_nodes(expr),
                Truth::Yes | Truth::No => 1,
            };
            self.parts += parts;
            if self.parts > MAX_PARTS {
                return Err(TooMany(span));
            }
            let when = match parts > LONG {
                true => self.normal(when, span),
                false => when,
            };
            short.push(Alternative { when, value });
        }
        Ok(short)
    }

    fn arithmetic(&mut self, op: Op, a: &Set, b: &Set, span: Span) -> Set {
        let mut out = Vec::new();
        for left in a {
            for right in b {
                let (Value::Int(x), Value::Int(y)) = (&left.value, &right.value) else {
                    continue;
                };
                let (defined, value) = Num::arithmetic(op, x.clone(), y.clone(), span);
                out.push(Alternative {
                    when: left.when.clone().and(right.when.clone()).and(defined),
                    value: Value::Int(value),
                });
            }
        }
        merged(out)
    }

    fn comparison(&mut self, op: Op, a: &Set, b: &Set, subject: &Subject, span: Span) -> Set {
        let mut found = Truth::No;
        for left in a {
            for right in b {
                let both = left.when.clone().and(right.when.clone());
                if both == Truth::No {
                    continue;
                }
                let pair = self.pair(op, &left.value, &right.value, subject, span);
                found = found.or(both.and(pair));
            }
        }
        let mut out = vec![Alternative {
            when: found,
            value: number(1),
        }];
        if !self.strict {
            let empty = holds(b).not();
            out.extend(a.iter().map(|item| Alternative {
                when: item.when.clone().and(empty.clone()),
                value: item.value.clone(),
            }));
        }
        merged(out)
    }

    fn pair(&mut self, op: Op, a: &Value, b: &Value, subject: &Subject, span: Span) -> Truth {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Num::compare(op, a.clone(), b.clone(), span),
            (Value::Text(a), Value::Text(b)) if matches!(op, Op::Eq | Op::Ne) => {
                Num::compare(op, a.clone(), b.clone(), span)
            }
            (Value::Piece(a), Value::Piece(b)) if matches!(op, Op::Eq | Op::Ne) => {
                let same = self.same_piece(a, b, subject, span);
                if op == Op::Eq { same } else { same.not() }
            }
            _ => Truth::of(op == Op::Ne),
        }
    }

    /// Whether two pieces have the same properties.
    fn same_piece(&mut self, a: &Piece, b: &Piece, subject: &Subject, span: Span) -> Truth {
        if a == b {
            return Truth::Yes;
        }
        let look = |lower: &mut Self, piece: &Piece| match lower.kind_of(piece, subject, span) {
            KindOf::Known(kind) => Num::Known(lower.look_class(kind)),
            KindOf::Of(kind) => Num::Computed(lower.look_class_of(kind, span)),
        };
        let (x, y) = (look(self, a), look(self, b));
        let same = Num::compare(Op::Eq, x, y, span);
        let x = self.place_number(a, subject, span);
        let y = self.place_number(b, subject, span);
        let same = same.and(Num::compare(Op::Eq, x, y, span));
        let bucket = Truth::any((0..4).map(|bucket| {
            let is = |piece: &Piece| self.bucket_is(&piece.bucket, bucket, span);
            is(a).and(is(b))
        }));
        same.and(bucket)
    }

    /// Whether a bucket is this one.
    pub(super) fn bucket_is(&self, bucket: &Bucket, wanted: u32, span: Span) -> Truth {
        match bucket {
            Bucket::Known(bucket) => Truth::of(*bucket == wanted),
            Bucket::Stored(expr) => {
                let wanted = Expr::elem(self.ids.bucket, wanted, span).some();
                Truth::When(expr.clone().equals(wanted).at(span))
            }
        }
    }

    /// A stored bucket as a set: empty, or one number.
    fn stored_bucket(&self, stored: &Expr, given: &Truth, span: Span) -> Set {
        let of = |bucket: u32| Alternative {
            when: given
                .clone()
                .and(self.bucket_is(&Bucket::Stored(stored.clone()), bucket, span)),
            value: number(bucket as i32),
        };
        (0..4).map(of).collect()
    }

    fn kind_of(&self, piece: &Piece, subject: &Subject, span: Span) -> KindOf {
        match &piece.unit {
            Unit::This => subject.kind.clone(),
            Unit::Removed(unit) => KindOf::Of(self.kind_at(unit.clone(), span)),
            Unit::Known { kind, .. } => KindOf::Known(*kind),
        }
    }

    fn place_number(&self, piece: &Piece, subject: &Subject, span: Span) -> Num {
        match (&piece.unit, &subject.place) {
            (Unit::Known { place, .. }, _) | (Unit::This, PlaceOf::Known(place)) => {
                Num::Known(*place as i32 + 1)
            }
            (Unit::This, PlaceOf::Of(unit)) | (Unit::Removed(unit), _) => {
                Num::Computed(self.cell_at(unit.clone(), span).ordinal().to_wrap())
            }
            (Unit::This, PlaceOf::Near(_) | PlaceOf::Any) => Num::Known(0),
        }
    }

    /// The value of a plain or dotted name.
    fn name(&mut self, path: &[String], subject: &Subject, span: Span) -> Result<Set, TooMany> {
        let mut all = self.variable(path, subject, span);
        if let Some((field, object)) = path.split_last()
            && !object.is_empty()
        {
            for item in self.name(object, subject, span)? {
                if let Value::Piece(piece) = &item.value {
                    all.extend(self.field(&item.when, piece, field, subject, span));
                }
            }
        }
        if all.len() > MAX_ALTERNATIVES {
            return Err(TooMany(span));
        }
        Ok(merged(all))
    }

    fn field(
        &mut self,
        given: &Truth,
        piece: &Piece,
        field: &str,
        subject: &Subject,
        span: Span,
    ) -> Set {
        match field {
            "pos" => vec![Alternative {
                when: given.clone(),
                value: Value::Int(self.place_number(piece, subject, span)),
            }],
            "bucket" => match &piece.bucket {
                Bucket::Known(bucket) => vec![Alternative {
                    when: given.clone(),
                    value: number(*bucket as i32),
                }],
                Bucket::Stored(stored) => self.stored_bucket(&stored.clone(), given, span),
            },
            _ => {
                let kind = self.kind_of(piece, subject, span);
                self.property(given, field, &kind, span)
            }
        }
    }

    /// The value of a property: an integer or a text, where there is one.
    fn property(&mut self, given: &Truth, key: &str, kind: &KindOf, span: Span) -> Set {
        match kind {
            KindOf::Known(kind) => {
                let value = self.property_value(*kind, key);
                let item = |value| Alternative {
                    when: given.clone(),
                    value,
                };
                value.map(item).into_iter().collect()
            }
            KindOf::Of(kind) => {
                let mut all = Vec::new();
                for (when, value) in self.property_of(key, kind, span) {
                    all.push(Alternative {
                        when: given.clone().and(when),
                        value,
                    });
                }
                all
            }
        }
    }

    /// The variable of this name, not a field of another.
    fn variable(&mut self, path: &[String], subject: &Subject, span: Span) -> Set {
        if let Some(given) = &self.given {
            return given.get(&path.join(".")).cloned().unwrap_or_default();
        }
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        match words[..] {
            ["this"] => {
                let unit = match (&subject.kind, &subject.place) {
                    (KindOf::Known(kind), PlaceOf::Known(place)) => Unit::Known {
                        kind: *kind,
                        place: *place,
                    },
                    _ => Unit::This,
                };
                let bucket = Bucket::Known(subject.bucket);
                one(Value::Piece(Piece { unit, bucket }))
            }
            ["Nearby"] => self.near(subject, 0, span),
            ["Remotest"] => self.near(subject, 2, span),
            _ if !subject.memory => Vec::new(),
            ["p"] => match self.read(self.memory.bucket, span) {
                Some(stored) => self.stored_bucket(&stored, &Truth::Yes, span),
                None => Vec::new(),
            },
            ["last"] => match self.last(span) {
                Some(stored) => stored.piece(span),
                None => Vec::new(),
            },
            ["pc"] => self.last_bucket("color", subject, span),
            ["ps"] => self.last_bucket("shape", subject, span),
            ["p", "bucket"] => match self.last_into(subject.bucket, span) {
                Some(unit) => vec![Alternative {
                    when: Truth::When(unit.is_some()),
                    value: number(subject.bucket as i32),
                }],
                None => Vec::new(),
            },
            ["p", key] => self.last_bucket(key, subject, span),
            ["q", "bucket"] => match self.last_into(subject.bucket, span) {
                Some(unit) => vec![Alternative {
                    when: Truth::When(unit.clone().is_some()),
                    value: Value::Piece(Piece {
                        unit: Unit::Removed(sure(unit, span)),
                        bucket: Bucket::Known(subject.bucket),
                    }),
                }],
                None => Vec::new(),
            },
            ["q", key] => match self.registers(key, subject, span) {
                Some(stored) => stored.piece(span),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The bucket of the last piece with the same value of a property.
    fn last_bucket(&mut self, key: &str, subject: &Subject, span: Span) -> Set {
        match self.registers(key, subject, span) {
            Some(stored) => {
                let (given, bucket) = stored.place();
                self.stored_bucket(&bucket, &given, span)
            }
            None => Vec::new(),
        }
    }

    fn near(&mut self, subject: &Subject, turn: u32, span: Span) -> Set {
        let known = |near: u32| one(number(((near + turn) % 4) as i32));
        match &subject.place {
            PlaceOf::Known(place) => known(super::nearest(*place)),
            PlaceOf::Near(near) => known(*near),
            PlaceOf::Any => Vec::new(),
            PlaceOf::Of(unit) => {
                let table = self.nearest_table();
                let cell = self.cell_at(unit.clone(), span);
                let near = Expr::lookup(&self.b.game, table, vec![cell], span);
                let of = |bucket: u32| Alternative {
                    when: Truth::When(near.clone().equals(Expr::elem(
                        self.ids.bucket,
                        bucket,
                        span,
                    ))),
                    value: number(((bucket + turn) % 4) as i32),
                };
                (0..4).map(of).collect()
            }
        }
    }

    /// Whether a number of the set, modulo 4, is this bucket.
    pub(super) fn names_bucket(set: &Set, bucket: u32, span: Span) -> Truth {
        Truth::any(set.iter().map(|item| {
            let Value::Int(number) = &item.value else {
                return Truth::No;
            };
            let is = match number {
                Num::Known(n) => Truth::of(n.rem_euclid(4) == bucket as i32),
                Num::Computed(expr) => {
                    let four = Expr::wrap(4, span);
                    let rest = Expr::binary(BinaryOp::RemEuclid, expr.clone(), four);
                    Truth::When(rest.equals(Expr::wrap(bucket as i32, span)))
                }
            };
            item.when.clone().and(is)
        }))
    }
}

/// The type of numbers of texts and of integers.
pub(super) const NUMBER: Type = Type::Wrap32;
