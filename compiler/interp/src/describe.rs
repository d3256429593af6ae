//! Expressions in words: as the printed program writes them, with names in place of numbers.

use super::node::{Kind, Node};
use super::program::Program;
use super::value::Value;
use crate::ir::{BinaryOp, Fold, Type};

/// Depth below which only dots are written.
const MOST_DEPTH: usize = 12;

/// The expression in a function, if that is known.
pub(super) fn text(program: &Program, node: &Node, routine: Option<usize>) -> String {
    Describe { program, routine }.node(node, 0)
}

struct Describe<'d> {
    program: &'d Program,
    routine: Option<usize>,
}

impl Describe<'_> {
    fn node(&self, node: &Node, depth: usize) -> String {
        if depth > MOST_DEPTH {
            return "\u{2026}".to_owned();
        }
        let game = &self.program.game;
        let arg = |at: usize| {
            node.args
                .get(at)
                .map_or(String::new(), |arg| self.node(arg, depth + 1))
        };
        let list = || {
            let parts: Vec<String> = node
                .args
                .iter()
                .map(|arg| self.node(arg, depth + 1))
                .collect();
            parts.join(", ")
        };
        let two = |sign: &str| {
            format!(
                "{} {sign} {}",
                self.part(node, 0, depth),
                self.part(node, 1, depth)
            )
        };
        match &node.kind {
            Kind::Number(number) => self.number(*number, &node.ty),
            Kind::Const(value) => self.program.value_text(value, &node.ty),
            Kind::Local(local) => self.local(*local),
            Kind::Env(var) => game.env[*var].name.clone(),
            Kind::EnvIsSet(var) => format!("{} has a value", game.env[*var].name),
            Kind::Var(var) => self.indexed(&game.vars[*var].name, list()),
            Kind::Lookup(table) => self.indexed(&game.tables[*table].name, list()),
            Kind::PlaceOf(_) => format!("place of {}", arg(0)),
            Kind::Content(_) | Kind::Contents(_) => format!("what stands on {}", arg(0)),
            Kind::Places(_) => format!("places of {}", arg(0)),
            Kind::Not => format!("not {}", self.part(node, 0, depth)),
            Kind::And => two("and"),
            Kind::Or => two("or"),
            Kind::Neg => format!("-{}", self.part(node, 0, depth)),
            Kind::Arithmetic(op) | Kind::Compare(op) | Kind::Sets(op) | Kind::Seqs(op) => {
                two(sign(*op))
            }
            Kind::Equal(true) | Kind::EqualWhole(true) => two("="),
            Kind::Equal(false) | Kind::EqualWhole(false) => two("\u{2260}"),
            Kind::InSet | Kind::InSeq => two("in"),
            Kind::Subset | Kind::SeqSubset => two("part of"),
            Kind::Complement(_) => format!("all but {}", self.part(node, 0, depth)),
            Kind::If => format!("if {} then {} else {}", arg(0), arg(1), arg(2)),
            Kind::IsSome => format!("there is {}", arg(0)),
            Kind::OrElse => format!("{}, else {}", arg(0), arg(1)),
            Kind::SetOf => format!("{{{}}}", list()),
            Kind::SeqOf => format!("[{}]", list()),
            Kind::SetSize | Kind::SeqSize => format!("number of {}", arg(0)),
            Kind::Item => format!("{}[{}]", arg(0), arg(1)),
            Kind::Fold(fold, bound) => {
                let word = match fold {
                    Fold::Forall => "for all",
                    Fold::Exists => "for some",
                    Fold::Count => "number of",
                    Fold::Sum => "sum over",
                    Fold::Min => "least over",
                    Fold::Max => "greatest over",
                };
                let body = node
                    .args
                    .last()
                    .map_or(String::new(), |body| self.node(body, depth + 1));
                format!("{word} {}: {body}", self.local(bound.local))
            }
            Kind::Collect(bound) => {
                let body = node
                    .args
                    .last()
                    .map_or(String::new(), |body| self.node(body, depth + 1));
                format!("all {} with {body}", self.local(bound.local))
            }
            Kind::First(bound) => format!("the first {} with a condition", self.local(bound.local)),
            Kind::Walk { .. } => format!("a walk from {}", arg(0)),
            Kind::Closure { .. } => format!("what is reached from {}", arg(0)),
            Kind::Call(func) => format!("{}({})", game.function(*func).name, list()),
            Kind::Related { holds, .. } => {
                format!("all with {}({})", game.function(*holds).name, list())
            }
            Kind::Seen(_) => "times that this position was seen".to_owned(),
            Kind::Alike(_) => format!("alike: {}", list()),
            Kind::Abs => format!("|{}|", arg(0)),
            Kind::HasTag(_) => format!("kind of {}", arg(0)),
            Kind::Same
            | Kind::Get
            | Kind::Ordinal(_)
            | Kind::Member(..)
            | Kind::ToWrap
            | Kind::Tag(_)
            | Kind::Untag(_) => arg(0),
            Kind::Wrong => "?".to_owned(),
        }
    }

    /// An operand, in parentheses if it has operands of its own that could be misread.
    fn part(&self, node: &Node, at: usize, depth: usize) -> String {
        let Some(part) = node.args.get(at) else {
            return String::new();
        };
        let text = self.node(part, depth + 1);
        let joins = matches!(
            part.kind,
            Kind::And
                | Kind::Or
                | Kind::If
                | Kind::Arithmetic(_)
                | Kind::Compare(_)
                | Kind::Sets(_)
        );
        match joins {
            true => format!("({text})"),
            false => text,
        }
    }

    fn indexed(&self, name: &str, index: String) -> String {
        match index.is_empty() {
            true => name.to_owned(),
            false => format!("{name}[{index}]"),
        }
    }

    fn local(&self, local: usize) -> String {
        let function = self
            .routine
            .and_then(|routine| self.program.game.functions.get(routine));
        let name = function
            .and_then(|function| function.locals.get(local))
            .map(|local| local.name.as_str());
        name.map_or_else(
            || format!("#{local}"),
            |name| name.split('%').next().unwrap_or(name).to_owned(),
        )
    }

    fn number(&self, number: i64, ty: &Type) -> String {
        let value = match ty {
            Type::Bool => Value::Bool(number != 0),
            Type::Elem(_) => Value::Elem(number as u32),
            Type::Opt(_) => Value::Opt(u32::try_from(number).ok()),
            _ => Value::Int(number),
        };
        self.program.value_text(&value, ty)
    }
}

fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::And => "and",
        B::Or => "or",
        B::Eq => "=",
        B::Ne => "\u{2260}",
        B::Lt => "<",
        B::Le => "\u{2264}",
        B::Gt => ">",
        B::Ge => "\u{2265}",
        B::Add | B::Concat => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Rem | B::RemEuclid => "mod",
        B::Min => "min",
        B::Max => "max",
        B::Union => "or in",
        B::Intersect | B::SeqIntersect => "and in",
        B::Minus | B::SeqMinus => "without",
        B::UpTo => "up to",
        B::DownTo => "down to",
        B::Subset | B::SeqSubset => "part of",
        B::In => "in",
    }
}
