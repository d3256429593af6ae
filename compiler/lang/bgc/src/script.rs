//! The JavaScript of positions, outlines and colours, evaluated while rules are compiled.

use std::cmp::Ordering;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::Pair;

/// Most parentheses and signs inside each other.
const MAX_DEPTH: usize = 48;
/// Longest expression, in bytes.
const MAX_BYTES: usize = 4096;

use super::grammar::{Rule, ScriptGrammar as Grammar};

/// A value of JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A string.
    String(String),
    /// A truth value.
    Bool(bool),
    /// `null`, in conditions only.
    Null,
}

/// An expression that can be evaluated for every cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    node: Node,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Value(Value),
    Coordinate(usize),
    Unary(char, Box<Node>),
    Binary(Op, Box<Node>, Box<Node>),
    Cond(Box<[Node; 3]>),
    Math(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Or,
    And,
    Equal,
    Unequal,
    Same,
    Other,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Abs,
    Floor,
    Ceil,
    Round,
    Trunc,
    Sqrt,
    Min,
    Max,
    Sin,
    Cos,
}

const FUNCTIONS: [(&str, Function); 10] = [
    ("abs", Function::Abs),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("round", Function::Round),
    ("trunc", Function::Trunc),
    ("sqrt", Function::Sqrt),
    ("min", Function::Min),
    ("max", Function::Max),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
];

/// Why a text is not an expression of the subset, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Script {
    /// A constant.
    pub(super) fn number(value: f64) -> Script {
        Script {
            node: Node::Value(Value::Number(value)),
        }
    }

    /// Reads an expression over these coordinates.
    pub(super) fn parse(text: &str, names: &[&str]) -> Result<Script, Refused> {
        let refuse = |at: usize, message: &str| Refused {
            at,
            message: message.to_owned(),
        };
        if text.len() > MAX_BYTES {
            return Err(refuse(0, "the expression is too long"));
        }
        if let Some(at) = too_deep(text) {
            return Err(refuse(at, "the expression is nested too deeply"));
        }
        let mut pairs = Grammar::parse(Rule::whole, text).map_err(|error| {
            let at = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
            match text[at..].chars().next() {
                Some(found) => refuse(at, &format!("`{found}` cannot stand here")),
                None => refuse(at, "the expression ends too early"),
            }
        })?;
        let whole = pairs.next().and_then(|whole| whole.into_inner().next());
        let Some(whole) = whole else {
            return Err(refuse(0, "the expression is empty"));
        };
        let node = build(whole, names)?;
        Ok(Script { node })
    }

    /// The value for a cell with these coordinates.
    pub fn eval(&self, coordinates: &[i64]) -> Value {
        eval(&self.node, coordinates)
    }
}

/// Where parentheses, conditionals and signs nest too deeply, roughly: grammar and tree recurse along them.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut run = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'?' => run += 1,
            b'!' | b'-' | b'+' => run += 1,
            _ => {}
        }
        if depth > MAX_DEPTH || run > 4 * MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

fn build(pair: Pair<'_, Rule>, names: &[&str]) -> Result<Node, Refused> {
    let at = pair.as_span().start();
    let text = pair.as_str();
    let rule = pair.as_rule();
    let mut inner = pair.into_inner();
    match rule {
        Rule::number => {
            let value = text.parse().unwrap_or(f64::NAN);
            Ok(Node::Value(Value::Number(value)))
        }
        Rule::string => {
            let inside = text.get(1..text.len() - 1).unwrap_or_default();
            Ok(Node::Value(Value::String(inside.to_owned())))
        }
        Rule::name => name(text.trim(), at, names),
        Rule::math => math(at, inner, names),
        Rule::unary => {
            let Some(first) = inner.next() else {
                return Ok(Node::Value(Value::Null));
            };
            if first.as_rule() != Rule::unary_op {
                return build(first, names);
            }
            let op = first.as_str().chars().next().unwrap_or('+');
            let operand = inner.next().map(|operand| build(operand, names));
            let operand = operand.unwrap_or(Ok(Node::Value(Value::Null)))?;
            Ok(Node::Unary(op, Box::new(operand)))
        }
        Rule::cond => {
            let parts: Result<Vec<Node>, Refused> = inner.map(|part| build(part, names)).collect();
            let mut parts = parts?.into_iter();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(a), Some(b), Some(c)) => Ok(Node::Cond(Box::new([a, b, c]))),
                (Some(a), ..) => Ok(a),
                _ => Ok(Node::Value(Value::Null)),
            }
        }
        _ => {
            let Some(first) = inner.next() else {
                return Ok(Node::Value(Value::Null));
            };
            let mut left = build(first, names)?;
            while let (Some(op), Some(right)) = (inner.next(), inner.next()) {
                let right = build(right, names)?;
                left = Node::Binary(operator(op.as_str()), Box::new(left), Box::new(right));
            }
            Ok(left)
        }
    }
}

fn name(text: &str, at: usize, names: &[&str]) -> Result<Node, Refused> {
    if let Some(index) = names.iter().position(|name| *name == text) {
        return Ok(Node::Coordinate(index));
    }
    match text {
        "true" => Ok(Node::Value(Value::Bool(true))),
        "false" => Ok(Node::Value(Value::Bool(false))),
        _ => Err(Refused {
            at,
            message: format!("`{text}` is no coordinate"),
        }),
    }
}

fn math(
    at: usize,
    mut inner: pest::iterators::Pairs<'_, Rule>,
    names: &[&str],
) -> Result<Node, Refused> {
    let word = inner.next().map_or("", |word| word.as_str());
    let args: Result<Vec<Node>, Refused> = inner.map(|arg| build(arg, names)).collect();
    let args = args?;
    if word == "PI" && args.is_empty() {
        return Ok(Node::Value(Value::Number(std::f64::consts::PI)));
    }
    match FUNCTIONS.iter().find(|(name, _)| *name == word) {
        Some((_, function)) => Ok(Node::Math(*function, args)),
        None => Err(Refused {
            at,
            message: format!("`Math.{word}` is not known here"),
        }),
    }
}

fn operator(text: &str) -> Op {
    match text {
        "||" => Op::Or,
        "&&" => Op::And,
        "==" => Op::Equal,
        "!=" => Op::Unequal,
        "===" => Op::Same,
        "!==" => Op::Other,
        "<" => Op::Less,
        "<=" => Op::LessEqual,
        ">" => Op::Greater,
        ">=" => Op::GreaterEqual,
        "+" => Op::Add,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "/" => Op::Divide,
        _ => Op::Remainder,
    }
}

fn eval(node: &Node, at: &[i64]) -> Value {
    match node {
        Node::Value(value) => value.clone(),
        Node::Coordinate(index) => Value::Number(at.get(*index).map_or(f64::NAN, |&v| v as f64)),
        Node::Unary(op, operand) => {
            let value = eval(operand, at);
            match op {
                '!' => Value::Bool(!value.truthy()),
                '-' => Value::Number(-value.to_number()),
                _ => Value::Number(value.to_number()),
            }
        }
        Node::Cond(parts) => match eval(&parts[0], at).truthy() {
            true => eval(&parts[1], at),
            false => eval(&parts[2], at),
        },
        Node::Binary(op, left, right) => {
            let left = eval(left, at);
            match op {
                Op::Or if left.truthy() => left,
                Op::And if !left.truthy() => left,
                Op::Or | Op::And => eval(right, at),
                _ => binary(*op, &left, &eval(right, at)),
            }
        }
        Node::Math(function, args) => {
            let args: Vec<f64> = args.iter().map(|arg| eval(arg, at).to_number()).collect();
            Value::Number(call(*function, &args))
        }
    }
}

fn call(function: Function, args: &[f64]) -> f64 {
    let x = args.first().copied().unwrap_or(f64::NAN);
    let extreme = |start: f64, pick: fn(f64, f64) -> bool| {
        args.iter().fold(start, |best, &value| {
            if value.is_nan() || pick(value, best) {
                value
            } else {
                best
            }
        })
    };
    match function {
        Function::Abs => x.abs(),
        Function::Floor => x.floor(),
        Function::Ceil => x.ceil(),
        Function::Round => (x + 0.5).floor(),
        Function::Trunc => x.trunc(),
        Function::Sqrt => x.sqrt(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Min => extreme(f64::INFINITY, |a, b| a < b),
        Function::Max => extreme(f64::NEG_INFINITY, |a, b| a > b),
    }
}

fn binary(op: Op, a: &Value, b: &Value) -> Value {
    let (x, y) = (a.to_number(), b.to_number());
    let strings = matches!((a, b), (Value::String(_), Value::String(_)));
    let order = match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.encode_utf16().cmp(b.encode_utf16())),
        _ => x.partial_cmp(&y),
    };
    let kind = std::mem::discriminant(a) == std::mem::discriminant(b);
    match op {
        Op::Equal => Value::Bool(a.loosely_equals(b)),
        Op::Unequal => Value::Bool(!a.loosely_equals(b)),
        Op::Same => Value::Bool(kind && a.loosely_equals(b)),
        Op::Other => Value::Bool(!(kind && a.loosely_equals(b))),
        Op::Less => Value::Bool(order == Some(Ordering::Less)),
        Op::LessEqual => Value::Bool(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        Op::Greater => Value::Bool(order == Some(Ordering::Greater)),
        Op::GreaterEqual => Value::Bool(matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        Op::Add if strings || matches!(a, Value::String(_)) || matches!(b, Value::String(_)) => {
            Value::String(a.to_text() + &b.to_text())
        }
        Op::Add => Value::Number(x + y),
        Op::Subtract => Value::Number(x - y),
        Op::Multiply => Value::Number(x * y),
        Op::Divide => Value::Number(x / y),
        _ => Value::Number(x % y),
    }
}

impl Value {
    /// Whether a condition takes it for true.
    pub fn truthy(&self) -> bool {
        match self {
            Value::Number(value) => *value != 0.0 && !value.is_nan(),
            Value::String(text) => !text.is_empty(),
            Value::Bool(value) => *value,
            Value::Null => false,
        }
    }

    /// The number that arithmetic takes it for.
    pub fn to_number(&self) -> f64 {
        match self {
            Value::Number(value) => *value,
            Value::Bool(value) => f64::from(u8::from(*value)),
            Value::String(text) => match text.trim() {
                "" => 0.0,
                text if text
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) =>
                {
                    text.parse().unwrap_or(f64::NAN)
                }
                _ => f64::NAN,
            },
            Value::Null => 0.0,
        }
    }

    /// The text that concatenation takes it for.
    pub fn to_text(&self) -> String {
        match self {
            Value::Number(value) => value.to_string(),
            Value::String(text) => text.clone(),
            Value::Bool(value) => value.to_string(),
            Value::Null => "null".to_owned(),
        }
    }

    /// Whether it equals a text by `==`.
    pub fn is_text(&self, text: &str) -> bool {
        match self {
            Value::String(own) => own == text,
            other => other.loosely_equals(&Value::String(text.to_owned())),
        }
    }

    /// Equality by `==`; `null` equals only itself (and what is missing).
    pub fn loosely_equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Null, _) | (_, Value::Null) => false,
            (Value::String(a), Value::String(b)) => a == b,
            _ => self.to_number() == other.to_number(),
        }
    }
}
