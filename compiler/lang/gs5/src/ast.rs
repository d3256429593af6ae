//! The syntax tree of a rule set: after parsing every field has the form that its key asks for.

use std::fmt;

use crate::source::Span;

/// Words that are variables in expressions.
pub const VARIABLES: &[&str] = &["p", "pc", "ps", "q", "this", "last", "Nearby", "Remotest"];

/// A rule set.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    /// The text of a comment line `#Display: ...`.
    pub display: Option<String>,
    /// Orders of the file, those defined again left out.
    pub orders: Vec<Order>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A name or text and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What it says.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An order of cells.
#[derive(Clone, Debug)]
pub struct Order {
    /// Its name.
    pub name: Word,
    /// Cells from 0, the front group first.
    pub groups: Vec<Vec<u32>>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Greatest number of moves, if there is one.
    pub counter: Option<u32>,
    /// Its atoms, at least one.
    pub atoms: Vec<Atom>,
    /// The line.
    pub span: Span,
}

/// An atom.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Greatest number of moves, if there is one.
    pub count: Option<u32>,
    /// Position lists, all of which must allow the cell.
    pub pos: Vec<Positions>,
    /// A position list for what the rest of the atom accepts.
    pub postpos: Option<Positions>,
    /// The buckets, any without it.
    pub bucket: Option<Expr>,
    /// A condition that holds if it is not empty.
    pub code: Option<Expr>,
    /// Conditions on properties.
    pub conditions: Vec<Condition>,
    /// From bracket to bracket.
    pub span: Span,
}

/// A position list.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Cells from 0.
    pub cells: Vec<u32>,
    /// Names of orders.
    pub orders: Vec<Word>,
    /// Where.
    pub span: Span,
}

/// A condition on a property.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The property.
    pub key: Word,
    /// What is asked of it.
    pub value: Value,
}

/// What is asked of a property.
#[derive(Clone, Debug)]
pub enum Value {
    /// One of these.
    Literals(Vec<(Literal, Span)>),
    /// An integer of one of these closed ranges.
    Ranges(Vec<(i32, i32)>),
    /// One of the values of an expression.
    Expr(Expr),
}

/// A literal value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A bare word or a string.
    Text(String),
    /// A number.
    Number(i32),
}

/// An expression: its value is a set.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A plain or dotted name.
    Name(Vec<String>),
    /// A text.
    Text(String),
    /// A number.
    Number(i32),
    /// The union of the values.
    List(Vec<Expr>),
    /// The value 1 where the operand is empty.
    Not(Box<Expr>),
    /// An operation on all pairs.
    Binary(Op, Box<Expr>, Box<Expr>),
    /// An expression in parentheses.
    Group(Box<Expr>),
    /// A closed range; a value of conditions only.
    Range(i32, i32),
    /// `*`; a value of fields only.
    Star,
}

/// The operators on pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient toward zero.
    Div,
    /// Remainder with the sign of the dividend.
    Rem,
    /// Equality.
    Eq,
    /// Inequality.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Op {
    /// Whether it compares.
    pub fn compares(self) -> bool {
        !matches!(self, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem)
    }

    /// Its text.
    pub fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        }
    }
}

impl Expr {
    /// The expression without parentheses around it.
    pub fn bare(&self) -> &Expr {
        match &self.kind {
            ExprKind::Group(inner) => inner.bare(),
            _ => self,
        }
    }

    /// Calls `f` with this expression and all in it.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        match &self.kind {
            ExprKind::List(items) => items.iter().for_each(|item| item.visit(f)),
            ExprKind::Not(inner) | ExprKind::Group(inner) => inner.visit(f),
            ExprKind::Binary(_, a, b) => {
                a.visit(f);
                b.visit(f);
            }
            _ => {}
        }
    }
}

impl Atom {
    /// All expressions of the atom.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let conditions = self.conditions.iter().filter_map(|c| match &c.value {
            Value::Expr(expr) => Some(expr),
            _ => None,
        });
        self.bucket.iter().chain(&self.code).chain(conditions)
    }

    /// All position lists of the atom.
    pub fn positions(&self) -> impl Iterator<Item = &Positions> {
        self.pos.iter().chain(&self.postpos)
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        item.fmt(f)?;
    }
    f.write_str("]")
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Name(parts) => f.write_str(&parts.join(".")),
            ExprKind::Text(text) => write!(f, "\"{text}\""),
            ExprKind::Number(n) => write!(f, "{n}"),
            ExprKind::List(items) => list(f, items),
            ExprKind::Not(inner) => write!(f, "!{inner}"),
            ExprKind::Binary(op, a, b) => write!(f, "({a} {} {b})", op.text()),
            ExprKind::Group(inner) => inner.fmt(f),
            ExprKind::Range(a, b) => write!(f, "{a}..{b}"),
            ExprKind::Star => f.write_str("*"),
        }
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Text(text) => write!(f, "\"{text}\""),
            Literal::Number(n) => write!(f, "{n}"),
        }
    }
}

impl fmt::Display for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.cells.iter().map(|cell| (cell + 1).to_string());
        let orders = self.orders.iter().map(|order| order.text.clone());
        list(f, &cells.chain(orders).collect::<Vec<_>>())
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for order in &self.orders {
            write!(f, "Order {} =", order.name.text)?;
            for group in &order.groups {
                f.write_str(" ")?;
                list(f, &group.iter().map(|cell| cell + 1).collect::<Vec<_>>())?;
            }
            writeln!(f)?;
        }
        for row in &self.rows {
            match row.counter {
                Some(counter) => writeln!(f, "row {counter}")?,
                None => writeln!(f, "row *")?,
            }
            for atom in &row.atoms {
                writeln!(f, "{atom}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            Some(count) => write!(f, "  atom {count}")?,
            None => f.write_str("  atom *")?,
        }
        for pos in &self.pos {
            write!(f, " pos:{pos}")?;
        }
        if let Some(pos) = &self.postpos {
            write!(f, " postpos:{pos}")?;
        }
        for condition in &self.conditions {
            write!(f, " {}:", condition.key.text)?;
            match &condition.value {
                Value::Literals(items) => {
                    list(f, &items.iter().map(|(item, _)| item).collect::<Vec<_>>())?;
                }
                Value::Ranges(ranges) => {
                    let texts = ranges.iter().map(|(a, b)| format!("{a}..{b}"));
                    list(f, &texts.collect::<Vec<_>>())?;
                }
                Value::Expr(expr) => write!(f, "({expr})")?,
            }
        }
        if let Some(code) = &self.code {
            write!(f, " code:{code}")?;
        }
        if let Some(bucket) = &self.bucket {
            write!(f, " bucket:{bucket}")?;
        }
        Ok(())
    }
}
