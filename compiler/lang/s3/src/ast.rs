//! The syntax tree of a game file.
//!
//! It holds what the file says, record by record, every node with its span. Defaults are filled in and later records of
//! a name have replaced earlier ones, so that a reader meets each name once. Names are still text; `check` has made
//! sure that they mean something before anybody lowers the tree, see [`super::load`].
//!
//! The shape after a clean parse and check: argument counts of calls and builtins are right, every variable is assigned
//! somewhere, every type, location and player exists, constant states and owners are in range. What may still be wrong is
//! left to the interpreter and its faults (a `MOVE` from the wrong place, a variable that is unset on some path).

use indexmap::IndexMap;

use crate::source::Span;

/// A value with the place it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub node: T,
    /// Its place.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value and its place.
    pub const fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}

/// A name or other short text, without surrounding blanks.
pub type Ident = Spanned<String>;

/// A whole game file. The keys of the maps are the names of their records, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The whole file.
    pub span: Span,
    /// `image=` of `[BOARD]`.
    pub board_image: Option<Ident>,
    /// `[REALBOARD ELEMENT TYPES]`; several may share a name.
    pub real_types: Vec<RealType>,
    /// `[ELEMENT TYPES]`.
    pub element_types: IndexMap<String, ElementType>,
    /// `[LOCATION TYPES]`.
    pub location_types: IndexMap<String, LocationType>,
    /// `[LOCATIONS]`, by the text of their names.
    pub locations: IndexMap<String, Location>,
    /// `[PLAYER NAMES]`: player `i + 1` at index `i`.
    pub players: Vec<Ident>,
    /// `score=`, the initial score of every player; 0 if absent.
    pub initial_score: Option<Spanned<i32>>,
    /// `[MOVABLE ELEMENTS]`, by the text of their names.
    pub elements: IndexMap<String, Element>,
    /// `[EXPRESSIONS]`.
    pub expressions: IndexMap<String, Definition>,
    /// `[SCORINGS]`.
    pub scorings: Vec<Scoring>,
    /// `[END OF GAME]`.
    pub endings: Vec<Ending>,
    /// `[GAME RULES]`.
    pub rules: IndexMap<String, Rule>,
}

/// What the camera sees of one state of an element type.
#[derive(Clone, Debug, PartialEq)]
pub struct RealType {
    /// Name of the element type.
    pub name: Ident,
    /// Element state, from 1.
    pub state: Spanned<i32>,
    /// Degrees, 0 to 360; `min >= max` wraps around through 0.
    pub hue: Range<f64>,
    /// 0 to 1.
    pub saturation: Range<f64>,
    /// 0 to 1.
    pub value: Range<f64>,
    /// Pixels of the blob.
    pub size: Range<i32>,
    /// The record.
    pub span: Span,
}

/// A closed range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range<T> {
    /// Least value.
    pub min: T,
    /// Greatest value.
    pub max: T,
}

/// A point in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// A type of movable elements.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementType {
    /// Its name.
    pub name: Ident,
    /// Number of states, 0 if the file gives none.
    pub states: Spanned<i32>,
    /// Pictures of the states 1, 2, ...; at most as many as states, those beyond show the first.
    pub pictures: Vec<Picture>,
    /// The record.
    pub span: Span,
}

/// A picture and its hot spot.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// File name.
    pub image: Ident,
    /// The point of the picture that lies on the point of the location.
    pub point: Point,
}

/// A type of locations.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationType {
    /// Its name.
    pub name: Ident,
    /// File name of the picture.
    pub image: Option<Ident>,
    /// Hot spot of the picture.
    pub point: Point,
    /// Where the mouse finds it.
    pub shape: Option<Shape>,
    /// Whether its locations take part in the identity of positions.
    pub relevant: bool,
    /// The record.
    pub span: Span,
}

/// The shape of a location on the screen, around its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Pixels.
        radius: i32,
    },
    /// A rectangle.
    Rectangle {
        /// Pixels.
        width: i32,
        /// Pixels.
        height: i32,
    },
}

/// A name of a location or an element: `base`, `base(1)`, `base(1,2)`, ...
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name as strings of the rules spell it, without blanks.
    pub text: String,
    /// The part before the indexes.
    pub base: String,
    /// The indexes.
    pub indexes: Vec<i32>,
    /// Its place.
    pub span: Span,
}

/// A location.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// Its name.
    pub name: Name,
    /// Name of its type.
    pub ty: Ident,
    /// Place in the window; the origin if the file gives none.
    pub point: Point,
    /// Place in the camera's picture; a location without it is invisible to the camera.
    pub camera: Option<Point>,
    /// How the arm reaches it.
    pub robot: Option<Robot>,
    /// The record.
    pub span: Span,
}

/// How the arm reaches a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Robot {
    /// Servo angles in degrees.
    Angles {
        /// Above the location.
        above: [f64; 5],
        /// At the location.
        at: [f64; 5],
    },
    /// Place on the table in centimetres, base of the arm at the origin; `y` is not negative.
    Place {
        /// To the right.
        x: f64,
        /// Away from the arm.
        y: f64,
        /// Up.
        z: f64,
    },
}

/// A movable element.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Its name.
    pub name: Name,
    /// Name of its type.
    pub ty: Ident,
    /// Name of its initial location, as in [`Name::text`].
    pub location: Ident,
    /// Initial owner, 0 for nobody.
    pub player: Spanned<i32>,
    /// Initial state.
    pub state: Spanned<i32>,
    /// Initial z-index.
    pub zindex: i32,
    /// The record.
    pub span: Span,
}

/// A named expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: Ident,
    /// Its parameters, without `$`. They are ordinary variables: a call assigns them and nothing restores them.
    pub params: Vec<Ident>,
    /// The lines: the first one that yields `false` ends it with `false`, else the value of the last counts.
    pub body: Vec<Expr>,
    /// From the header to `END`.
    pub span: Span,
}

/// An entry of `[SCORINGS]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// When it applies.
    pub situation: Expr,
    /// What it adds, in this order.
    pub awards: Vec<Award>,
    /// The record.
    pub span: Span,
}

/// Points for a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Award {
    /// Who gets them.
    pub player: Expr,
    /// How many.
    pub amount: Expr,
}

/// An entry of `[END OF GAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// When it applies.
    pub situation: Expr,
    /// Who wins then; 0 is a draw.
    pub winner: Expr,
    /// The record.
    pub span: Span,
}

/// A rule: one family of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its name.
    pub name: Ident,
    /// The elements that move.
    pub element: Pattern,
    /// The locations they leave.
    pub from: Pattern,
    /// The locations they reach.
    pub to: Pattern,
    /// State of the element; any if absent.
    pub state: Option<IntPattern>,
    /// Player on move; any if absent.
    pub player: Option<IntPattern>,
    /// Condition; true if absent.
    pub condition: Option<Expr>,
    /// `awardPlayer` and `withScore`, paired in order.
    pub awards: Vec<Award>,
    /// Evaluated after the move, its value ignored.
    pub followup: Option<Expr>,
    /// `toLocations`: gives the set of targets, instead of the enumeration of `to` and `condition`.
    pub targets: Option<Expr>,
    /// The record.
    pub span: Span,
}

/// `state=` and `player=` of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum IntPattern {
    /// `$VAR`: always matches and binds the variable.
    Bind(Ident),
    /// Matches if equal.
    Equals(Expr),
}

/// A pattern for names of elements or locations.
///
/// Literal text matches itself, a variable matches one whole run of digits. A variable that occurs twice, also in
/// two patterns of one rule, must match the same number.
pub type Pattern = Template;

/// Text with variables: a string of the rules or a pattern for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its parts; no two texts are neighbours and no text is empty.
    pub parts: Vec<TemplatePart>,
    /// Its place, with the quotes if it has them.
    pub span: Span,
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Text, without blanks and tabs.
    Text(Ident),
    /// `$NAME`, the name without `$`; the span has it.
    Var(Ident),
}

/// A [`Template`] of the shape `base`, `base(i)`, `base(i,j)`, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed<'a> {
    /// The part before the indexes.
    pub base: &'a str,
    /// The indexes.
    pub indexes: Vec<Index<'a>>,
}

/// An index of an [`Indexed`] template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index<'a> {
    /// A number.
    Literal(i32),
    /// A variable.
    Var(&'a Ident),
}

impl Template {
    /// Its text if it has no variable.
    pub fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TemplatePart::Text(text)] => Some(&text.node),
            _ => None,
        }
    }

    /// The variables, from left to right, with repetitions.
    pub fn vars(&self) -> impl Iterator<Item = &Ident> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Var(var) => Some(var),
            TemplatePart::Text(_) => None,
        })
    }

    /// What is wrong with the parentheses, if one is missing.
    pub fn slip(&self) -> Option<&'static str> {
        let texts = self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(text) => Some(text.node.as_str()),
            TemplatePart::Var(_) => None,
        });
        let signs = |sign: char| {
            texts
                .clone()
                .map(move |text| text.matches(sign).count())
                .sum::<usize>()
        };
        match signs('(').cmp(&signs(')')) {
            std::cmp::Ordering::Greater => Some("`(` is not closed"),
            std::cmp::Ordering::Less => Some("`)` closes nothing"),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Its base and indexes, if it has the shape of a name with canonical indexes (no `+`, no leading zeros).
    pub fn indexed(&self) -> Option<Indexed<'_>> {
        if let Some(text) = self.literal().filter(|text| !text.contains('(')) {
            return is_base(text).then(|| Indexed {
                base: text,
                indexes: Vec::new(),
            });
        }
        let Some(TemplatePart::Text(first)) = self.parts.first() else {
            return None;
        };
        let (base, first) = first.node.split_once('(')?;
        let mut slots: Vec<Vec<Piece<'_>>> = vec![Vec::new()];
        let rest = self.parts[1..].iter().map(|part| match part {
            TemplatePart::Text(text) => Piece::Text(&text.node),
            TemplatePart::Var(var) => Piece::Var(var),
        });
        let mut closed = false;
        for piece in std::iter::once(Piece::Text(first)).chain(rest) {
            if closed {
                return None;
            }
            closed = fill_slots(piece, &mut slots);
        }
        let indexes = slots
            .iter()
            .map(|slot| slot_index(slot))
            .collect::<Option<_>>()?;
        (closed && is_base(base)).then_some(Indexed { base, indexes })
    }

    /// The numbers of its variables if it matches a name, read as a [`Pattern`].
    pub fn match_name(&self, name: &str) -> Option<IndexMap<&str, i32>> {
        let mut bindings = IndexMap::new();
        let mut rest = name;
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => {
                    // A run of digits is matched as a whole, so text must not end inside one before a variable
                    // or continue one after it; both would split it.
                    rest = rest.strip_prefix(text.node.as_str())?;
                }
                TemplatePart::Var(var) => {
                    let matched = name.len() - rest.len();
                    if name[..matched].ends_with(|c: char| c.is_ascii_digit()) {
                        return None;
                    }
                    let end = rest
                        .find(|c: char| !c.is_ascii_digit())
                        .unwrap_or(rest.len());
                    let value: i32 = rest[..end].parse().ok()?;
                    if *bindings.entry(var.node.as_str()).or_insert(value) != value {
                        return None;
                    }
                    rest = &rest[end..];
                }
            }
        }
        rest.is_empty().then_some(bindings)
    }
}

#[derive(Clone, Copy)]
enum Piece<'a> {
    Text(&'a str),
    Var(&'a Ident),
}

/// Adds a piece to the last slot, opening another at each comma; tells whether the closing parenthesis came.
fn fill_slots<'a>(piece: Piece<'a>, slots: &mut Vec<Vec<Piece<'a>>>) -> bool {
    let Piece::Text(text) = piece else {
        slots
            .last_mut()
            .expect("there is always a slot")
            .push(piece);
        return false;
    };
    let (text, closed) = text
        .strip_suffix(')')
        .map_or((text, false), |text| (text, true));
    for (at, slice) in text.split(',').enumerate() {
        if at > 0 {
            slots.push(Vec::new());
        }
        if !slice.is_empty() {
            slots
                .last_mut()
                .expect("there is always a slot")
                .push(Piece::Text(slice));
        }
    }
    closed
}

fn slot_index<'a>(slot: &[Piece<'a>]) -> Option<Index<'a>> {
    match *slot {
        [Piece::Var(var)] => Some(Index::Var(var)),
        [Piece::Text(text)] => canonical_int(text).map(Index::Literal),
        _ => None,
    }
}

/// Reads an integer that interpolation would print the same way.
fn canonical_int(text: &str) -> Option<i32> {
    text.parse()
        .ok()
        .filter(|value: &i32| value.to_string() == text)
}

fn is_base(text: &str) -> bool {
    !text.is_empty() && !text.contains(['(', ')', ','])
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place, with parentheses around it.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer, not negative: `-1` is a [`ExprKind::Unary`].
    Int(i32),
    /// A string with variables to fill in.
    Str(Template),
    /// `true` or `false`.
    Bool(bool),
    /// A variable; the name without `$`.
    Var(String),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `[a, b]`: members that are calls of user expressions stay pending, only their arguments are evaluated.
    Lazy(Vec<Expr>),
    /// A unary operator.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its place.
        op_span: Span,
        /// All of the (sub)expression that follows.
        operand: Box<Expr>,
    },
    /// A binary operator.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Its place.
        op_span: Span,
        /// The primary before it.
        left: Box<Expr>,
        /// All of the (sub)expression that follows.
        right: Box<Expr>,
    },
    /// `$VAR = value`: yields true.
    Assign {
        /// The variable; the name without `$`, the span with it.
        var: Ident,
        /// What it gets.
        value: Box<Expr>,
    },
    /// `IF(condition, yes, no)`.
    If {
        /// A bool.
        condition: Box<Expr>,
        /// Evaluated if true.
        yes: Box<Expr>,
        /// Evaluated if false.
        no: Box<Expr>,
    },
    /// `FORALL($VAR, from, to, body)` or `FORSOME`: counts down when `from > to`.
    Loop {
        /// Which of the two.
        quantifier: Quantifier,
        /// The variable; the name without `$`, the span with it.
        var: Ident,
        /// First value, evaluated once.
        from: Box<Expr>,
        /// Last value, evaluated once, after `from`.
        to: Box<Expr>,
        /// A bool.
        body: Box<Expr>,
    },
    /// Any other builtin, with exactly [`Builtin::arity`] arguments.
    Builtin {
        /// Which one.
        builtin: Builtin,
        /// Place of the word.
        name_span: Span,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// A call of an expression of the file.
    Call {
        /// Its name.
        name: Ident,
        /// The arguments.
        args: Vec<Expr>,
    },
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `NOT`.
    Not,
    /// `ABS`.
    Abs,
    /// `-`.
    Neg,
}

/// Binary operators without assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
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
    /// `SUBSET`, also spelt `ISPARTOF`.
    Subset,
    /// `IN`.
    In,
    /// `SETMINUS`, also spelt `EXCEPTOF`.
    SetMinus,
    /// `UNION`: the right set first, then the members of the left that are not in it.
    Union,
    /// `INTERSECT`.
    Intersect,
    /// `AND`.
    And,
    /// `OR`.
    Or,
}

/// The two loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `FORALL`: stops at the first false.
    All,
    /// `FORSOME`: stops at the first true.
    Some,
}

/// The builtins that are called like user expressions; `IF`, `FORALL` and `FORSOME` have nodes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `LOCTYPE(location)`: string.
    LocType,
    /// `ELTYPE(element)`: string.
    ElType,
    /// `STATE(element)`: integer.
    State,
    /// `LOCATION(element)`: string.
    Location,
    /// `CONTENT(location)`: string.
    Content,
    /// `EMPTY(location)`: bool, true for what is no location.
    Empty,
    /// `INDEX(name)`: integer.
    Index,
    /// `INDEXA(i, name)`: integer.
    IndexA,
    /// `UNINDEX(name)`: string.
    Unindex,
    /// `OWNER(element)`: integer.
    Owner,
    /// `PLAYER`: integer.
    Player,
    /// `SCORE(player)`: integer.
    Score,
    /// `ZINDEX(element)`: integer.
    ZIndex,
    /// `MOVE(element, from, to)`: bool.
    Move,
    /// `SETOWNER(element, player)`: true.
    SetOwner,
    /// `SETSTATE(element, state)`: true.
    SetState,
    /// `SETZINDEX(element, z)`: true.
    SetZIndex,
    /// `NEXTPLAYER`: true.
    NextPlayer,
}

/// Types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 32-bit integer.
    Int,
    /// String.
    Str,
    /// Bool.
    Bool,
    /// Set.
    Set,
    /// Lazy list.
    Lazy,
}

impl Type {
    /// With its article, for messages.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Int => "an integer",
            Self::Str => "a string",
            Self::Bool => "a truth value",
            Self::Set => "a set",
            Self::Lazy => "a list",
        }
    }
}

impl UnaryOp {
    /// The portable spelling.
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Not => "NOT",
            Self::Abs => "ABS",
            Self::Neg => "-",
        }
    }
}

impl BinaryOp {
    /// The portable spelling.
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Subset => "SUBSET",
            Self::In => "IN",
            Self::SetMinus => "SETMINUS",
            Self::Union => "UNION",
            Self::Intersect => "INTERSECT",
            Self::And => "AND",
            Self::Or => "OR",
        }
    }
}

impl Quantifier {
    /// The builtin's name.
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::All => "FORALL",
            Self::Some => "FORSOME",
        }
    }
}

/// What a builtin is called, takes and gives: one row of [`Builtin::TABLE`].
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The builtin.
    pub builtin: Builtin,
    /// Its name.
    pub name: &'static str,
    /// Types of its arguments.
    pub params: &'static [Type],
    /// Type of its value.
    pub result: Type,
    /// Whether it changes the state of the game.
    pub changes_state: bool,
}

const fn sig(
    builtin: Builtin,
    name: &'static str,
    params: &'static [Type],
    result: Type,
    changes_state: bool,
) -> Signature {
    Signature {
        builtin,
        name,
        params,
        result,
        changes_state,
    }
}

impl Builtin {
    /// All builtins, in the order of the enum.
    pub const TABLE: &'static [Signature] = {
        use Type::{Bool, Int, Str};
        &[
            sig(Self::LocType, "LOCTYPE", &[Str], Str, false),
            sig(Self::ElType, "ELTYPE", &[Str], Str, false),
            sig(Self::State, "STATE", &[Str], Int, false),
            sig(Self::Location, "LOCATION", &[Str], Str, false),
            sig(Self::Content, "CONTENT", &[Str], Str, false),
            sig(Self::Empty, "EMPTY", &[Str], Bool, false),
            sig(Self::Index, "INDEX", &[Str], Int, false),
            sig(Self::IndexA, "INDEXA", &[Int, Str], Int, false),
            sig(Self::Unindex, "UNINDEX", &[Str], Str, false),
            sig(Self::Owner, "OWNER", &[Str], Int, false),
            sig(Self::Player, "PLAYER", &[], Int, false),
            sig(Self::Score, "SCORE", &[Int], Int, false),
            sig(Self::ZIndex, "ZINDEX", &[Str], Int, false),
            sig(Self::Move, "MOVE", &[Str, Str, Str], Bool, true),
            sig(Self::SetOwner, "SETOWNER", &[Str, Int], Bool, true),
            sig(Self::SetState, "SETSTATE", &[Str, Int], Bool, true),
            sig(Self::SetZIndex, "SETZINDEX", &[Str, Int], Bool, true),
            sig(Self::NextPlayer, "NEXTPLAYER", &[], Bool, true),
        ]
    };

    /// Its row of the table.
    pub fn signature(self) -> &'static Signature {
        &Self::TABLE[self as usize]
    }

    /// Number of its arguments.
    pub fn arity(self) -> usize {
        self.signature().params.len()
    }
}

impl Expr {
    /// The direct subexpressions, from left to right.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Bool(_) | ExprKind::Var(_) => {
                Vec::new()
            }
            ExprKind::Set(items) | ExprKind::Lazy(items) => items.iter().collect(),
            ExprKind::Unary { operand, .. } => vec![operand],
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Assign { value, .. } => vec![value],
            ExprKind::If { condition, yes, no } => vec![condition, yes, no],
            ExprKind::Loop { from, to, body, .. } => vec![from, to, body],
            ExprKind::Builtin { args, .. } | ExprKind::Call { args, .. } => args.iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_builtins_is_in_the_order_of_the_enum() {
        for (at, row) in Builtin::TABLE.iter().enumerate() {
            assert_eq!(row.builtin as usize, at, "{}", row.name);
        }
    }
}
