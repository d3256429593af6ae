//! The checked game: every name is resolved.

use super::ast::{RuleKind, Stuck};
use crate::source::Span;

/// A game.
#[derive(Clone, Debug)]
pub struct Model {
    /// The file.
    pub span: Span,
    /// Types, in the order in which they are met.
    pub types: Vec<TypeInfo>,
    /// Names of the players by seat.
    pub players: Vec<String>,
    /// Who is active at the start.
    pub active: Vec<usize>,
    /// What happens if nobody can act.
    pub stuck: Stuck,
    /// Seconds that an action takes.
    pub clock: u32,
    /// Objects at the start, by age.
    pub objects: Vec<Object>,
    /// Actions and conditions.
    pub rules: Vec<Rule>,
}

/// A type.
#[derive(Clone, Debug)]
pub struct TypeInfo {
    /// Its name.
    pub name: String,
    /// Greatest number of objects, if declared.
    pub max: Option<(u32, Span)>,
    /// Where it is first met.
    pub span: Span,
}

/// An object at the start.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its type.
    pub ty: usize,
    /// Its name.
    pub name: Option<String>,
    /// The object that it is in.
    pub container: Option<usize>,
    /// Its owner.
    pub owner: Option<usize>,
    /// Where it is opened.
    pub span: Span,
}

/// An action or condition.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its kind.
    pub kind: RuleKind,
    /// Its name, given or made up.
    pub name: String,
    /// Its header.
    pub span: Span,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What moves are written with after the name of the rule.
    pub told: Vec<Told>,
    /// What must hold.
    pub require: Vec<Require>,
    /// What happens.
    pub effects: Vec<Effect>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its type.
    pub ty: usize,
    /// Its name.
    pub name: String,
}

/// What moves are written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// A parameter.
    Param(usize),
    /// One of the unnamed objects of a type in something with a name.
    Inside(usize, Base),
}

/// What a reference starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A parameter of the rule.
    Param(usize),
    /// A named object.
    Object(usize),
}

/// A step of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the container.
    In,
    /// To what is directly inside.
    Contains,
}

/// A reference to objects.
#[derive(Clone, Debug)]
pub struct Ref {
    /// Where it starts.
    pub base: Base,
    /// Where it goes.
    pub steps: Vec<Step>,
    /// Its place.
    pub span: Span,
}

impl Ref {
    /// Whether it may be several objects.
    pub fn is_multiple(&self) -> bool {
        self.steps.contains(&Step::Contains)
    }
}

/// Objects or types.
#[derive(Clone, Debug)]
pub enum What {
    /// All objects of a type.
    Type(usize),
    /// Objects.
    Objects(Ref),
    /// The types of objects.
    TypesOf(Ref),
}

impl What {
    fn reference_mut(&mut self) -> Option<&mut Ref> {
        match self {
            What::Type(_) => None,
            What::Objects(reference) | What::TypesOf(reference) => Some(reference),
        }
    }
}

/// How a number is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// At least one; no number is written.
    Some,
    /// Exactly.
    Equal,
    /// Fewer than.
    Less,
    /// More than.
    More,
}

/// A requirement.
#[derive(Clone, Debug)]
pub struct Require {
    /// Whether it must not hold.
    pub not: bool,
    /// What must hold.
    pub test: Test,
    /// Its place.
    pub span: Span,
}

/// A test.
#[derive(Clone, Debug)]
pub enum Test {
    /// `in`, `rin`.
    In {
        /// Whether any depth counts.
        deep: bool,
        /// What is inside.
        inner: Ref,
        /// What it is in.
        outer: What,
    },
    /// `contains`, `rcontains`.
    Contains {
        /// Whether any depth counts.
        deep: bool,
        /// The container.
        outer: Ref,
        /// What is inside.
        inner: What,
        /// How many.
        cmp: Cmp,
        /// The number, for a comparison.
        number: u32,
    },
    /// `owns`.
    Owns {
        /// What is owned.
        what: What,
        /// How many.
        cmp: Cmp,
        /// The number, for a comparison.
        number: u32,
    },
    /// `timer`.
    Timer,
}

impl Test {
    /// The references in it.
    pub fn refs_mut(&mut self) -> Vec<&mut Ref> {
        match self {
            Test::In { inner, outer, .. } => vec![Some(inner), outer.reference_mut()],
            Test::Contains { outer, inner, .. } => vec![Some(outer), inner.reference_mut()],
            Test::Owns { what, .. } => vec![what.reference_mut()],
            Test::Timer => Vec::new(),
        }
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A set of players.
#[derive(Clone, Debug)]
pub struct Players {
    /// Where it starts.
    pub base: PlayersBase,
    /// Steps to neighbours: whether to the left.
    pub left: Vec<bool>,
    /// Its place.
    pub span: Span,
}

/// What a set of players starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayersBase {
    /// All that are not eliminated.
    All,
    /// The acting player.
    Acting,
    /// The active players.
    Active,
    /// Who acted before.
    Former,
    /// A player by seat.
    Seat(usize),
}

/// An effect and its place.
#[derive(Clone, Debug)]
pub struct Effect {
    /// What it does.
    pub kind: EffectKind,
    /// Its place.
    pub span: Span,
}

/// Where objects go that leave a container.
#[derive(Clone, Debug)]
pub enum Goal {
    /// They are in nothing.
    Nothing,
    /// Into an object.
    In(Ref),
    /// They cease to exist.
    Gone,
}

impl Goal {
    /// What they go into.
    pub fn into(&self) -> Option<&Ref> {
        match self {
            Goal::In(into) => Some(into),
            Goal::Nothing | Goal::Gone => None,
        }
    }
}

/// The kinds of effect.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// Objects go into another.
    Put(Ref, Ref),
    /// New objects of a type, in an object or in nothing.
    Create {
        /// The type.
        ty: usize,
        /// Where.
        into: Option<Ref>,
        /// How many.
        count: u32,
    },
    /// Objects are in nothing.
    Remove(Ref),
    /// So many (or all) objects of types leave a container.
    RemoveSome {
        /// The types.
        what: What,
        /// The container.
        from: Ref,
        /// How many; all if absent.
        count: Option<u32>,
        /// Where they go.
        goal: Goal,
        /// Whether requirements say that there are enough, and which of them leave is no choice.
        bound: bool,
    },
    /// Objects cease to exist.
    Delete(Ref),
    /// Objects are dealt at random.
    Distribute {
        /// The container.
        from: Ref,
        /// To whom.
        to: Players,
        /// The type.
        ty: usize,
        /// How many in all.
        count: u32,
    },
    /// Objects lose their owner.
    Disown(Ref),
    /// Each player loses so many (or all) objects of a type.
    DisownSome {
        /// The type.
        ty: usize,
        /// Who loses.
        of: Players,
        /// Whether chance decides which.
        random: bool,
        /// How many; all if absent.
        count: Option<u32>,
    },
    /// Objects get an owner.
    Own(Ref, Players),
    /// Who is active.
    Players(Players),
    /// The timer gets a value.
    SetTimer(u32),
}

impl EffectKind {
    /// The references to objects in it.
    pub fn refs_mut(&mut self) -> Vec<&mut Ref> {
        match self {
            EffectKind::Put(what, into) => vec![what, into],
            EffectKind::Create { into, .. } => into.iter_mut().collect(),
            EffectKind::Remove(what)
            | EffectKind::Delete(what)
            | EffectKind::Disown(what)
            | EffectKind::Own(what, _) => vec![what],
            EffectKind::RemoveSome {
                what, from, goal, ..
            } => {
                let into = match goal {
                    Goal::In(into) => Some(into),
                    Goal::Nothing | Goal::Gone => None,
                };
                let refs = [what.reference_mut(), Some(from), into];
                refs.into_iter().flatten().collect()
            }
            EffectKind::Distribute { from, .. } => vec![from],
            EffectKind::DisownSome { .. } | EffectKind::Players(_) | EffectKind::SetTimer(_) => {
                Vec::new()
            }
        }
    }
}
