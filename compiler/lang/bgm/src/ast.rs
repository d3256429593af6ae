//! The syntax tree: declarations as they are written, names unresolved.

use super::scan::Word;
use crate::source::Span;

/// A file.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// All of it.
    pub span: Span,
    /// Its declarations, in order.
    pub decls: Vec<Decl<'a>>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl<'a> {
    /// `Type A B max N`.
    Types {
        /// The types.
        names: Vec<Word<'a>>,
        /// How many objects of each there can be.
        max: Option<(u32, Span)>,
    },
    /// `Players`.
    Players(Players<'a>),
    /// `Stuck`.
    Stuck(Stuck, Span),
    /// `Clock`: seconds an action takes.
    Clock(u32, Span),
    /// An object.
    Object(Object<'a>),
    /// An action or condition.
    Rule(Rule<'a>),
}

/// The players.
#[derive(Clone, Debug)]
pub struct Players<'a> {
    /// The keyword.
    pub span: Span,
    /// How many, or who.
    pub seats: Seats<'a>,
    /// Who is active at the start.
    pub active: Option<Active<'a>>,
}

/// The seats in their order.
#[derive(Clone, Debug)]
pub enum Seats<'a> {
    /// So many.
    Count(u32),
    /// With these names.
    Names(Vec<Word<'a>>),
}

/// Who is active at the start.
#[derive(Clone, Debug)]
pub enum Active<'a> {
    /// Everybody.
    All,
    /// These.
    Names(Vec<Word<'a>>),
}

/// What happens if nobody can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// A draw.
    Draw,
    /// The active players lose.
    Lose,
    /// The active players win.
    Win,
}

/// An object, opened or opened again.
#[derive(Clone, Debug)]
pub struct Object<'a> {
    /// Its type.
    pub ty: Word<'a>,
    /// Its name.
    pub name: Option<Word<'a>>,
    /// What is said of it.
    pub props: Vec<Prop<'a>>,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub enum Prop<'a> {
    /// Named objects, or one type.
    Contains(Vec<Word<'a>>),
    /// So many unnamed objects of a type.
    ContainsMany(Word<'a>, u32, Span),
    /// Its container.
    In(Word<'a>),
    /// Its owner.
    Owner(Word<'a>),
}

/// The kinds of rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleKind {
    /// Something a player may do.
    Action,
    /// Who fulfils it wins.
    Win,
    /// Who fulfils it is out.
    Lose,
    /// Who remains draws.
    Draw,
}

impl RuleKind {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            RuleKind::Action => "Action",
            RuleKind::Win => "WinCondition",
            RuleKind::Lose => "LoseCondition",
            RuleKind::Draw => "DrawCondition",
        }
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule<'a> {
    /// Its kind.
    pub kind: RuleKind,
    /// Its header.
    pub span: Span,
    /// Its name.
    pub name: Option<Word<'a>>,
    /// Types and names of its parameters.
    pub params: Vec<(Word<'a>, Word<'a>)>,
    /// Its lines.
    pub clauses: Vec<Clause<'a>>,
}

/// A line of a rule.
#[derive(Clone, Debug)]
pub struct Clause<'a> {
    /// Whether it is a requirement; else an effect.
    pub require: bool,
    /// The words after `require` or `effect`, at least one.
    pub words: Vec<Word<'a>>,
}

impl Clause<'_> {
    /// The words of it.
    pub fn span(&self) -> Span {
        let first = self.words.first().map(|word| word.span);
        let last = self.words.last().map(|word| word.span);
        first.zip(last).map_or_else(Span::default, |(a, b)| a.to(b))
    }
}
