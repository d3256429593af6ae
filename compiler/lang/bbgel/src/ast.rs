//! The syntax tree of the command language.
//!
//! It prints as the S-expressions in which the recorded cases give trees; parentheses of the source leave no node.

use std::fmt;

use crate::source::Span;

/// The text of the setup or of one field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The blocks before `---`, in their order.
    pub defs: Vec<Def>,
    /// The statements.
    pub code: Vec<Stmt>,
}

/// A block of the setup.
#[derive(Clone, Debug, PartialEq)]
pub enum Def {
    /// `game { ... }`.
    Game {
        /// Greatest value of the die.
        max: Option<i64>,
        /// The condition under which the current player wins.
        end: Option<Expr>,
        /// Global variables.
        vars: Vec<Decl>,
        /// All of it.
        span: Span,
    },
    /// `N players { ... }`.
    Players {
        /// How many.
        count: i64,
        /// Where that is said.
        count_span: Span,
        /// Tokens of each, and where that is said.
        tokens: Option<(i64, Span)>,
        /// Variables of each.
        vars: Vec<Decl>,
        /// All of it.
        span: Span,
    },
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// The name.
    pub name: String,
    /// Its place.
    pub name_span: Span,
    /// Greatest value of an integer; nothing for a truth value.
    pub limit: Option<i64>,
    /// The first value.
    pub init: Expr,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
    /// Its line in the text it belongs to, from 1.
    pub line: u32,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// A declaration of a local variable.
    Decl(Decl),
    /// An expression, for its effects.
    Expr(Expr),
    /// `if`, and what stands after `else`.
    If(Expr, Vec<Stmt>, Option<Vec<Stmt>>),
    /// `force`.
    Force,
    /// `control goto`.
    ControlGoto(Target),
    /// `control if`.
    ControlIf(Expr, Target, Target),
    /// `goto`.
    Goto(Target),
    /// `game_start`, with a condition that has no meaning.
    GameStart(Option<Expr>),
    /// `game_end`.
    GameEnd,
    /// `move`.
    Move(Expr),
    /// `rollback`.
    Rollback,
    /// `sleep`.
    Sleep(Who, Expr),
    /// `log`.
    Log(Expr),
    /// `begin_scope`.
    BeginScope,
    /// `end_scope`.
    EndScope,
    /// `limit_scope` and its synonyms.
    LimitScope,
    /// `return` or `result`.
    Return(Expr),
}

/// A number of a field or border point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The number.
    pub id: i64,
    /// Its place.
    pub span: Span,
}

/// A player, seen from the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// `cp`: the current player.
    Current,
    /// `np`: the one after it.
    Next,
    /// `pp`: the one before it.
    Previous,
}

/// A name, alone or of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// Whose player variable it is; nothing for a bare name.
    pub of: Option<Who>,
    /// The name.
    pub name: String,
    /// Its place, with the player.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// `$leftSteps`.
    LeftSteps,
    /// `$result` or `$return`.
    Result,
    /// `$numPlayers`.
    NumPlayers,
    /// A variable.
    Name(Name),
    /// An assignment.
    Assign(Name, Box<Expr>),
    /// `++` or `--`.
    Step {
        /// The variable.
        name: Name,
        /// Whether the sign stands before it.
        before: bool,
        /// Whether it counts up.
        up: bool,
    },
    /// A sign before an operand.
    Unary(Unary, Box<Expr>),
    /// A sign between two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `? :`.
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `roll`.
    Roll(Option<Box<Expr>>),
    /// `choose_bool()`.
    ChooseBool,
}

/// Signs before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `not`.
    Not,
}

/// Signs between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `>`.
    Gt,
    /// `<=`.
    Le,
    /// `>=`.
    Ge,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
}

impl Binary {
    /// How it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Gt => ">",
            Binary::Le => "<=",
            Binary::Ge => ">=",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Who::Current => "cp",
            Who::Next => "np",
            Who::Previous => "pp",
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(who) => write!(f, "{who}.{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Bool(value) => write!(f, "{value}"),
            ExprKind::LeftSteps => f.write_str("$leftSteps"),
            ExprKind::Result => f.write_str("$result"),
            ExprKind::NumPlayers => f.write_str("$numPlayers"),
            ExprKind::Name(name) => write!(f, "{name}"),
            ExprKind::Assign(name, value) => write!(f, "(= {name} {value})"),
            ExprKind::Step { name, before, up } => {
                let place = if *before { "pre" } else { "post" };
                let sign = if *up { "++" } else { "--" };
                write!(f, "({place}{sign} {name})")
            }
            ExprKind::Unary(op, operand) => {
                let sign = match op {
                    Unary::Plus => "u+",
                    Unary::Minus => "u-",
                    Unary::Not => "unot",
                };
                write!(f, "({sign} {operand})")
            }
            ExprKind::Binary(op, left, right) => write!(f, "({} {left} {right})", op.sign()),
            ExprKind::Ternary(cond, yes, no) => write!(f, "(?: {cond} {yes} {no})"),
            ExprKind::Roll(None) => f.write_str("(roll)"),
            ExprKind::Roll(Some(sides)) => write!(f, "(roll {sides})"),
            ExprKind::ChooseBool => f.write_str("(choose_bool)"),
        }
    }
}

impl fmt::Display for Decl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Some(limit) => write!(f, "(int {} {limit} {})", self.name, self.init),
            None => write!(f, "(bool {} {})", self.name, self.init),
        }
    }
}

struct Block<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Block<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (at, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if at > 0 { " " } else { "" })?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StmtKind::Decl(decl) => write!(f, "{decl}"),
            StmtKind::Expr(expr) => write!(f, "{expr}"),
            StmtKind::If(cond, yes, None) => write!(f, "(if {cond} {})", Block(yes)),
            StmtKind::If(cond, yes, Some(no)) => {
                write!(f, "(if {cond} {} {})", Block(yes), Block(no))
            }
            StmtKind::Force => f.write_str("(force)"),
            StmtKind::ControlGoto(to) => write!(f, "(control-goto {})", to.id),
            StmtKind::ControlIf(cond, yes, no) => {
                write!(f, "(control-if {cond} {} {})", yes.id, no.id)
            }
            StmtKind::Goto(to) => write!(f, "(goto {})", to.id),
            StmtKind::GameStart(None) => f.write_str("(game_start)"),
            StmtKind::GameStart(Some(cond)) => write!(f, "(game_start {cond})"),
            StmtKind::GameEnd => f.write_str("(game_end)"),
            StmtKind::Move(steps) => write!(f, "(move {steps})"),
            StmtKind::Rollback => f.write_str("(rollback)"),
            StmtKind::Sleep(who, rounds) => write!(f, "(sleep {who} {rounds})"),
            StmtKind::Log(value) => write!(f, "(log {value})"),
            StmtKind::BeginScope => f.write_str("(begin_scope)"),
            StmtKind::EndScope => f.write_str("(end_scope)"),
            StmtKind::LimitScope => f.write_str("(limit_scope)"),
            StmtKind::Return(value) => write!(f, "(return {value})"),
        }
    }
}

impl fmt::Display for Def {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Def::Game { max, end, vars, .. } => {
                let max = max.unwrap_or(6);
                let end = end.as_ref().map_or("-".to_owned(), Expr::to_string);
                write!(f, "(game {max} {end} {})", Block(vars))
            }
            Def::Players {
                count,
                tokens,
                vars,
                ..
            } => {
                let tokens = tokens.map_or(1, |(tokens, _)| tokens);
                write!(f, "(players {count} {tokens} {})", Block(vars))
            }
        }
    }
}

/// All statements of a block with those inside of `if`s.
pub(super) fn each_stmt<'a>(code: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in code {
        f(stmt);
        if let StmtKind::If(_, yes, no) = &stmt.kind {
            each_stmt(yes, f);
            each_stmt(no.as_deref().unwrap_or_default(), f);
        }
    }
}

/// The expressions of a statement, not those of statements inside.
pub(super) fn exprs(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.kind {
        StmtKind::Decl(decl) => vec![&decl.init],
        StmtKind::Expr(expr)
        | StmtKind::If(expr, ..)
        | StmtKind::ControlIf(expr, ..)
        | StmtKind::GameStart(Some(expr))
        | StmtKind::Move(expr)
        | StmtKind::Sleep(_, expr)
        | StmtKind::Log(expr)
        | StmtKind::Return(expr) => vec![expr],
        _ => Vec::new(),
    }
}

impl Expr {
    /// Calls `f` with this expression and all inside.
    pub(super) fn each<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        match &self.kind {
            ExprKind::Assign(_, inner)
            | ExprKind::Unary(_, inner)
            | ExprKind::Roll(Some(inner)) => inner.each(f),
            ExprKind::Binary(_, left, right) => {
                left.each(f);
                right.each(f);
            }
            ExprKind::Ternary(cond, yes, no) => {
                cond.each(f);
                yes.each(f);
                no.each(f);
            }
            _ => {}
        }
    }
}
