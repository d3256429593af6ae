//! What is remembered of removed pieces: only what some expression asks for.

use super::Lower;
use super::sym::{Alternative, Bucket, KindOf, Piece, PlaceOf, Set, Subject, Truth, Unit, Value};
use crate::ast::{ExprKind, RuleSet};
use crate::ir::{Axis, Block, Const, Expr, Stmt, TableId, Type, VarId};
use crate::pieces::int_value;
use crate::source::Span;

/// Variables of the memory.
#[derive(Default)]
pub(super) struct Memory {
    /// Bucket of the last piece.
    pub(super) bucket: Option<VarId>,
    /// The last piece.
    pub(super) unit: Option<VarId>,
    /// Whether expressions ask for that bucket.
    bucket_is_read: bool,
    /// The last piece in each bucket.
    into: Option<VarId>,
    registers: Vec<Register>,
}

/// For each value of a property the last piece that had it.
struct Register {
    key: String,
    /// The value of each kind, optional where some have none; absent for cells.
    value_of: Option<TableId>,
    bucket: VarId,
    /// Whether expressions ask for that bucket.
    bucket_is_read: bool,
    unit: Option<VarId>,
}

/// A piece that was removed and where it went. All of it means something only where the first holds.
pub(super) struct Stored {
    given: Truth,
    bucket: Expr,
    /// Whether expressions ask for the bucket.
    bucket_is_read: bool,
    /// The piece, if it is kept.
    unit: Option<Expr>,
}

impl Stored {
    /// The piece as a value, where there is one. Its bucket and itself are stored together; that is asked of which is read
    /// anyway.
    pub(super) fn piece(self, span: Span) -> Set {
        let Some(unit) = self.unit else {
            return Set::new();
        };
        let asked = if self.bucket_is_read {
            &self.bucket
        } else {
            &unit
        };
        let when = self.given.and(Truth::When(asked.clone().is_some()));
        let unit = Unit::Removed(super::sym::sure(unit, span));
        let bucket = Bucket::Stored(self.bucket);
        vec![Alternative {
            when,
            value: Value::Piece(Piece { unit, bucket }),
        }]
    }

    /// Where there is one, and the bucket.
    pub(super) fn place(self) -> (Truth, Expr) {
        (self.given, self.bucket)
    }
}

/// What the expressions of a rule set ask for.
#[derive(Default)]
struct Asked {
    bucket: bool,
    bucket_is_read: bool,
    unit: bool,
    into: bool,
    /// Properties, whether buckets are asked for, and whether pieces are.
    keys: Vec<(String, bool, bool)>,
}

impl Asked {
    fn of(set: &RuleSet) -> Asked {
        let mut asked = Asked::default();
        let atoms = set.rows.iter().flat_map(|row| &row.atoms);
        for expr in atoms.flat_map(|atom| atom.exprs()) {
            expr.visit(&mut |expr| {
                if let ExprKind::Name(path) = &expr.kind {
                    let words: Vec<&str> = path.iter().map(String::as_str).collect();
                    asked.name(&words);
                }
            });
        }
        asked
    }

    fn name(&mut self, words: &[&str]) {
        match words {
            ["p"] => {
                self.bucket = true;
                self.bucket_is_read = true;
            }
            ["last", rest @ ..] => {
                self.bucket = true;
                self.bucket_is_read |= rest.first() == Some(&"bucket");
                self.unit = true;
            }
            ["p" | "q", "bucket", ..] => self.into = true,
            ["pc"] => self.key("color", true, false),
            ["ps"] => self.key("shape", true, false),
            ["p", key] => self.key(key, true, false),
            ["q", key, rest @ ..] => self.key(key, rest.first() == Some(&"bucket"), true),
            _ => {}
        }
    }

    fn key(&mut self, key: &str, bucket: bool, unit: bool) {
        match self.keys.iter_mut().find(|(other, ..)| other == key) {
            Some((_, buckets, units)) => {
                *buckets |= bucket;
                *units |= unit;
            }
            None => self.keys.push((key.to_owned(), bucket, unit)),
        }
    }
}

impl Lower<'_> {
    /// Declares the memory.
    pub(super) fn declare_memory(&mut self) {
        let asked = Asked::of(self.set);
        let span = self.span;
        let bucket = Type::Opt(self.ids.bucket);
        let unit = Type::Opt(self.ids.unit);
        if asked.bucket {
            let var = self
                .b
                .var("last_bucket", vec![], bucket.clone(), Const::None, span);
            self.memory.bucket = Some(var);
        }
        if asked.unit {
            let var = self
                .b
                .var("last_unit", vec![], unit.clone(), Const::None, span);
            self.memory.unit = Some(var);
        }
        if asked.into {
            let axis = Axis::Domain(self.ids.bucket);
            let var = self
                .b
                .var("last_into", vec![axis], unit.clone(), Const::None, span);
            self.memory.into = Some(var);
        }
        self.memory.bucket_is_read = asked.bucket_is_read;
        for (key, buckets, units) in asked.keys {
            self.declare_register(&key, buckets, units);
        }
    }

    fn declare_register(&mut self, key: &str, bucket_is_read: bool, units: bool) {
        let span = self.span;
        let (axis, value_of) = match key {
            "pos" if self.crowded() => (Axis::Domain(self.ids.cell), None),
            // A cell holds one piece only, so no two pieces share it.
            "pos" => return,
            _ => {
                let text = |raw: &str| match int_value(raw) {
                    Some(n) => n.to_string(),
                    None => raw.to_owned(),
                };
                let values: Vec<Option<String>> = self
                    .kinds()
                    .iter()
                    .map(|kind| kind.property(key).map(text))
                    .collect();
                let mut distinct: Vec<String> = values.iter().flatten().cloned().collect();
                distinct.sort();
                distinct.dedup();
                if distinct.is_empty() {
                    return;
                }
                let number = |value: &String| {
                    let number = distinct.binary_search(value);
                    debug_assert!(number.is_ok(), "`{value}` is one of the values");
                    number.unwrap_or(0) as u32
                };
                let numbers: Vec<Option<u32>> = values
                    .iter()
                    .map(|value| value.as_ref().map(number))
                    .collect();
                let names = distinct.iter().map(|value| named(value)).collect();
                let domain = self.b.names(&format!("Value of {key}"), names, span);
                let ty = match numbers.contains(&None) {
                    true => Type::Opt(domain),
                    false => Type::Elem(domain),
                };
                let table = self.kind_table(&format!("value of {key}"), ty, |_, kind| {
                    numbers[kind].map_or(Const::None, Const::Elem)
                });
                (Axis::Domain(domain), Some(table))
            }
        };
        let ty = Type::Opt(self.ids.bucket);
        let bucket = self.b.var(
            &format!("bucket_by_{key}"),
            vec![axis],
            ty,
            Const::None,
            span,
        );
        let unit = units.then(|| {
            let ty = Type::Opt(self.ids.unit);
            self.b
                .var(&format!("unit_by_{key}"), vec![axis], ty, Const::None, span)
        });
        self.memory.registers.push(Register {
            key: key.to_owned(),
            value_of,
            bucket,
            bucket_is_read,
            unit,
        });
    }

    /// The last piece.
    pub(super) fn last(&self, span: Span) -> Option<Stored> {
        let read = |var: VarId| self.var(var, Vec::new(), span);
        Some(Stored {
            given: Truth::Yes,
            bucket: read(self.memory.bucket?),
            bucket_is_read: self.memory.bucket_is_read,
            unit: self.memory.unit.map(read),
        })
    }

    /// The last piece in a bucket.
    pub(super) fn last_into(&self, bucket: u32, span: Span) -> Option<Expr> {
        let into = self.memory.into?;
        Some(self.var(into, vec![self.bucket(bucket, span)], span))
    }

    /// The last piece that shares a property with the piece under test.
    pub(super) fn registers(&mut self, key: &str, subject: &Subject, span: Span) -> Option<Stored> {
        let register = self.memory.registers.iter().find(|r| r.key == key)?;
        let (value_of, bucket, unit) = (register.value_of, register.bucket, register.unit);
        let bucket_is_read = register.bucket_is_read;
        let (given, index) = match (value_of, &subject.kind, &subject.place) {
            (Some(table), KindOf::Known(kind), _) => {
                let table = self.b.game.table(table);
                let (Type::Elem(domain) | Type::Opt(domain)) = table.ty else {
                    return None;
                };
                let Const::Elem(value) = table.values[*kind] else {
                    return None;
                };
                (Truth::Yes, Expr::elem(domain, value, span))
            }
            (Some(table), KindOf::Of(kind), _) => {
                let value = Expr::lookup(&self.b.game, table, vec![kind.clone()], span);
                match value.ty {
                    Type::Opt(_) => (
                        Truth::When(value.clone().is_some()),
                        super::sym::sure(value, span),
                    ),
                    _ => (Truth::Yes, value),
                }
            }
            (None, _, PlaceOf::Of(unit)) => (Truth::Yes, self.cell_at(unit.clone(), span)),
            (None, ..) => return None,
        };
        let bucket = self.var(bucket, vec![index.clone()], span);
        let unit = unit.map(|unit| self.var(unit, vec![index], span));
        Some(Stored {
            given,
            bucket,
            bucket_is_read,
            unit,
        })
    }

    /// Statements that remember a piece that goes to a bucket.
    pub(super) fn remember(&mut self, unit: &Expr, bucket: &Expr, span: Span) -> Block {
        let mut out = Vec::new();
        let mut plain = |var: Option<VarId>, value: &Expr| {
            if let Some(var) = var {
                out.push(Stmt::set_var(var, Vec::new(), value.clone().some()));
            }
        };
        plain(self.memory.bucket, bucket);
        plain(self.memory.unit, unit);
        if let Some(into) = self.memory.into {
            out.push(Stmt::set_var(
                into,
                vec![bucket.clone()],
                unit.clone().some(),
            ));
        }
        for register in &self.memory.registers {
            let set = |index: Expr| {
                let value = bucket.clone().some();
                let mut block = vec![Stmt::set_var(register.bucket, vec![index.clone()], value)];
                if let Some(var) = register.unit {
                    block.push(Stmt::set_var(var, vec![index], unit.clone().some()));
                }
                block
            };
            let Some(table) = register.value_of else {
                out.extend(set(self.cell_at(unit.clone(), span)));
                continue;
            };
            let kind = self.kind_at(unit.clone(), span);
            let value = Expr::lookup(&self.b.game, table, vec![kind], span);
            match value.ty {
                Type::Opt(_) => {
                    let some = value.clone().is_some();
                    out.push(Stmt::branch(
                        some,
                        set(super::sym::sure(value, span)),
                        Vec::new(),
                    ));
                }
                _ => out.extend(set(value)),
            }
        }
        out
    }

    /// Whether a piece of a kind meets a condition by expression.
    pub(super) fn kind_matches(
        &mut self,
        key: &str,
        kind: &KindOf,
        set: &[super::sym::Alternative],
        span: Span,
    ) -> Truth {
        match kind {
            KindOf::Known(kind) => self.known_matches(key, *kind, set, span),
            KindOf::Of(kind) => {
                let kinds = self.kinds().len();
                // Kinds that the condition cannot tell apart are one case.
                let mut cases: Vec<(Truth, Vec<u32>)> = Vec::new();
                for index in 0..kinds {
                    let case = self.known_matches(key, index, set, span);
                    match cases.iter_mut().find(|(other, _)| *other == case) {
                        Some((_, members)) => members.push(index as u32),
                        None => cases.push((case, vec![index as u32])),
                    }
                }
                Truth::any(cases.into_iter().map(|(case, members)| {
                    if members.len() == kinds {
                        return case;
                    }
                    let set = Expr::constant(Const::Set(members), Type::Set(self.ids.kind), span);
                    let among = Expr::binary(crate::ir::BinaryOp::In, kind.clone(), set);
                    case.and(Truth::When(among))
                }))
            }
        }
    }

    fn known_matches(
        &mut self,
        key: &str,
        kind: usize,
        set: &[super::sym::Alternative],
        span: Span,
    ) -> Truth {
        use super::sym::Num;
        use crate::ast::Op;
        let kind = &self.kinds()[kind];
        let looks = matches!(key, "shape" | "color");
        if !kind.pictured && !looks {
            return Truth::Yes;
        }
        let Some(raw) = kind.property(key).map(str::to_owned) else {
            return Truth::No;
        };
        if kind.pictured && raw == "*" {
            return Truth::Yes;
        }
        let text = self.text_number(&raw);
        let canonical = int_value(&raw).filter(|n| n.to_string() == raw);
        Truth::any(set.iter().map(|item| {
            let fits = match &item.value {
                Value::Int(number) => match canonical {
                    Some(n) => Num::compare(Op::Eq, number.clone(), Num::Known(n), span),
                    None => Truth::No,
                },
                Value::Text(number) => Num::compare(Op::Eq, number.clone(), Num::Known(text), span),
                Value::Piece(_) => Truth::No,
            };
            item.when.clone().and(fits)
        }))
    }
}

/// What a value is called among the others: quoted where it could not be told otherwise, as an empty cell of a table.
fn named(value: &str) -> String {
    match value.is_empty() || value.contains('"') {
        true => format!("{value:?}"),
        false => value.to_owned(),
    }
}
