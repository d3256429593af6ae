//! Which types the values of variables and expressions can have.
//!
//! A least fixed point over sets of types: sound for reports of certain errors, because an empty or wide set reports
//! nothing.

use std::ops::{BitOr, BitOrAssign};

use indexmap::IndexMap;

use super::{Role, Root};
use crate::ast::{BinaryOp, Expr, ExprKind, Game, IntPattern, Type, UnaryOp};

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask(u8);

impl Mask {
    const ALL: Self = Self(0x1f);

    const fn of(ty: Type) -> Self {
        Self(1 << ty as u8)
    }

    /// Whether the value certainly has another type.
    pub(super) const fn excludes(self, ty: Type) -> bool {
        self.0 != 0 && self.0 & Self::of(ty).0 == 0
    }

    /// Whether values of the two can never be equal.
    pub(super) const fn apart(self, other: Self) -> bool {
        self.0 != 0 && other.0 != 0 && self.0 & other.0 == 0
    }

    /// In words: an integer or a string.
    pub(super) fn phrase(self) -> String {
        let types = [Type::Int, Type::Str, Type::Bool, Type::Set, Type::Lazy];
        let held = types
            .into_iter()
            .filter(|ty| !self.excludes(*ty))
            .map(Type::phrase);
        held.collect::<Vec<_>>().join(" or ")
    }
}

impl BitOr for Mask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Mask {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// Types of all variables and definitions.
pub(super) struct Types<'a> {
    vars: IndexMap<&'a str, Mask>,
    definitions: IndexMap<&'a str, Mask>,
    changed: bool,
}

/// Rounds after which the search gives up and takes everything for possible.
const MAX_ROUNDS: usize = 40;

impl<'a> Types<'a> {
    /// Infers the types of a game.
    pub(super) fn infer(game: &'a Game, roots: &[Root<'a>]) -> Self {
        let mut types = Self {
            vars: IndexMap::new(),
            definitions: IndexMap::new(),
            changed: true,
        };
        for rule in game.rules.values() {
            let patterns = [&rule.element, &rule.from, &rule.to];
            let bound =
                [&rule.state, &rule.player]
                    .into_iter()
                    .filter_map(|pattern| match pattern {
                        Some(IntPattern::Bind(var)) => Some(var),
                        _ => None,
                    });
            for var in patterns
                .into_iter()
                .flat_map(|pattern| pattern.vars())
                .chain(bound)
            {
                types.assign(&var.node, Mask::of(Type::Int));
            }
        }
        for round in 0.. {
            if !std::mem::take(&mut types.changed) {
                break;
            }
            if round == MAX_ROUNDS {
                types.vars.values_mut().for_each(|mask| *mask = Mask::ALL);
                types
                    .definitions
                    .values_mut()
                    .for_each(|mask| *mask = Mask::ALL);
                break;
            }
            types.round(game, roots);
        }
        types
    }

    fn round(&mut self, game: &'a Game, roots: &[Root<'a>]) {
        for root in roots {
            self.walk(game, root.expr);
        }
        for (name, definition) in &game.expressions {
            let mut value = Mask::default();
            for (at, line) in definition.body.iter().enumerate() {
                self.walk(game, line);
                let mask = self.of(line);
                let last = at + 1 == definition.body.len();
                // A false line ends the definition, other values of earlier lines are lost.
                let bool_only = Mask(mask.0 & Mask::of(Type::Bool).0);
                value |= if last { mask } else { bool_only };
            }
            let known = self.definitions.entry(name).or_default();
            if *known | value != *known {
                *known |= value;
                self.changed = true;
            }
        }
    }

    fn walk(&mut self, game: &'a Game, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Assign { var, value } => {
                let mask = self.of(value);
                self.assign(&var.node, mask);
            }
            ExprKind::Loop { var, .. } => self.assign(&var.node, Mask::of(Type::Int)),
            ExprKind::Call { name, args } => {
                let params = game
                    .expressions
                    .get(&name.node)
                    .map_or(&[][..], |callee| &callee.params);
                for (param, arg) in params.iter().zip(args) {
                    let mask = self.of(arg);
                    self.assign(&param.node, mask);
                }
            }
            _ => {}
        }
        for child in expr.children() {
            self.walk(game, child);
        }
    }

    fn assign(&mut self, var: &'a str, mask: Mask) {
        let known = self.vars.entry(var).or_default();
        if *known | mask != *known {
            *known |= mask;
            self.changed = true;
        }
    }

    /// Whether something assigns the variable.
    pub(super) fn knows(&self, var: &str) -> bool {
        self.vars.contains_key(var)
    }

    /// The types that the value of an expression can have.
    pub(super) fn of(&self, expr: &Expr) -> Mask {
        match &expr.kind {
            ExprKind::Int(_) => Mask::of(Type::Int),
            ExprKind::Str(_) => Mask::of(Type::Str),
            ExprKind::Bool(_) | ExprKind::Assign { .. } | ExprKind::Loop { .. } => {
                Mask::of(Type::Bool)
            }
            ExprKind::Set(_) => Mask::of(Type::Set),
            ExprKind::Lazy(_) => Mask::of(Type::Lazy),
            ExprKind::Var(name) => self.vars.get(name.as_str()).copied().unwrap_or_default(),
            ExprKind::Unary {
                op: UnaryOp::Not, ..
            } => Mask::of(Type::Bool),
            ExprKind::Unary { .. } => Mask::of(Type::Int),
            ExprKind::Binary { op, .. } => Mask::of(result(*op)),
            ExprKind::If { yes, no, .. } => self.of(yes) | self.of(no),
            ExprKind::Builtin { builtin, .. } => Mask::of(builtin.signature().result),
            ExprKind::Call { name, .. } => self
                .definitions
                .get(name.node.as_str())
                .copied()
                .unwrap_or_default(),
        }
    }
}

const fn result(op: BinaryOp) -> Type {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Type::Int,
        BinaryOp::SetMinus | BinaryOp::Union | BinaryOp::Intersect => Type::Set,
        _ => Type::Bool,
    }
}

/// The type that an operator needs on both sides; `==` and `!=` take anything.
pub(super) const fn operand(op: BinaryOp) -> Option<Type> {
    match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::In => None,
        BinaryOp::And | BinaryOp::Or => Some(Type::Bool),
        BinaryOp::SetMinus | BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Subset => {
            Some(Type::Set)
        }
        _ => Some(Type::Int),
    }
}

/// The type that a root needs.
pub(super) const fn wanted(role: Role) -> Option<Type> {
    match role {
        Role::Condition | Role::Situation => Some(Type::Bool),
        Role::Targets => Some(Type::Set),
        Role::State | Role::Player | Role::AwardPlayer | Role::AwardAmount | Role::Winner => {
            Some(Type::Int)
        }
        Role::Followup => None,
    }
}
