//! What a game is made into: expressions and statements whose operands lie in one memory of words.
//!
//! A scalar is one word: a member is its number, an absent one -1. A set has a bit for each member of its domain, in as many
//! words as that takes; a sequence is its length and then its items. Local variables have fixed places, so reading one is
//! reading a word; a function that calls itself keeps the words of the outer call aside meanwhile.

use crate::ir::{BinaryOp, Count, EndReason, FaultCode, Fold, Type, WalkGive};
use crate::op::{
    Asked, Meeting, Memo, NEAR, Op, Packed, Place, Product, Rays, Reg, RowsFound, Slow, StepsFound,
    Tried, WordRows,
};
use crate::run::Form;
use crate::source::Span;

/// A place in memory.
pub(crate) type At = usize;

/// A place of the rules where something may go wrong, and what: an index into [`Code::sites`].
pub(crate) type Site = u32;

/// A scalar.
#[derive(Clone, Debug)]
pub(crate) enum Num {
    Const(i64),
    At(At),
    /// A variable of the environment, and the word that says whether it has a value.
    Env(At, At, Site),
    /// A word among others, by a number that is never outside.
    Among(At, Box<Num>),
    /// A word of a table or variable.
    Cell(Box<Cell>),
    Not(Box<Num>),
    And(Box<(Num, Num)>),
    Or(Box<(Num, Num)>),
    If(Box<(Num, Num, Num)>),
    Equal(Box<(Num, Num)>),
    Unequal(Box<(Num, Num)>),
    Compare(BinaryOp, Box<(Num, Num)>),
    /// Integers of 64 bits.
    Exact(BinaryOp, Box<(Num, Num)>, Site),
    /// Integers of 32 bits that wrap.
    Wrapping(BinaryOp, Box<(Num, Num)>, Site),
    Negate(Box<Num>, Site),
    Absolute(Box<Num>, Site),
    WrapNegate(Box<Num>),
    WrapAbsolute(Box<Num>),
    ToWrap(Box<Num>),
    IsSome(Box<Num>),
    Get(Box<Num>, Site),
    OrElse(Box<(Num, Num)>),
    /// The integer of a member: that of member 0 is added.
    Ordinal(Box<Num>, i64),
    /// The member with an integer: that of member 0, and how many there are.
    Member(Box<Num>, i64, i64),
    In(Box<(Num, Set)>),
    Size(Box<Set>),
    IsEmpty(Box<Set>),
    Subset(Box<(Set, Set)>),
    SameSet(Box<(Set, Set)>),
    Length(Box<Seq>),
    Item(Box<(Seq, Num)>, Site),
    InSeq(Box<(Num, Seq)>),
    SeqSubset(Box<(Seq, Seq)>),
    SameSeq(Box<(Seq, Seq)>),
    Fold(Fold, Box<Range>, Site),
    /// Whether one of some rows is part of a set.
    AnyRow(Box<Rows>),
    First(Box<Range>),
    Walk(Box<Walk>),
    Call(Box<Call>),
    Seen(usize),
}

/// The place of a value among those of a variable or table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) base: At,
    pub(crate) index: Box<[Axis]>,
    /// The value wherever an index is outside; without it that is a fault.
    pub(crate) outside: Option<At>,
    pub(crate) site: Site,
    /// Whether no index can be outside.
    pub(crate) sure: bool,
}

/// An index: the integer that 0 stands for, how many there are, and the words from one to the next.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) index: Num,
    pub(crate) lo: i64,
    pub(crate) len: u64,
    pub(crate) stride: usize,
}

/// A set of so many words; what is computed goes to `to` if it is more than one.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) words: usize,
    pub(crate) to: At,
    pub(crate) kind: SetKind,
}

/// Rows of a table of sets, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) first: Cell,
    /// The first of the rows of another table with which a set is to have no more in common than these.
    pub(crate) within: Option<Cell>,
    pub(crate) count: usize,
    pub(crate) set: Set,
}

/// How words are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// The members whose word in a row compares so with a value.
#[derive(Clone, Debug)]
pub(crate) struct Sift {
    pub(crate) compare: Compare,
    /// Where the word of member 0 lies.
    pub(crate) base: At,
    /// Where the set of all members lies.
    pub(crate) all: At,
    pub(crate) value: Num,
}

#[derive(Clone, Debug)]
pub(crate) enum SetKind {
    At(At),
    Env(At, At, Site),
    /// One of these, by a number that is never outside.
    Pick(Box<[At]>, Num),
    /// The one with a number, or the last if none has it.
    Matching(Box<[(i64, At)]>, At, Num),
    Cell(Box<Cell>),
    If(Box<(Num, Set, Set)>),
    Union(Box<(Set, Set)>),
    Intersect(Box<(Set, Set)>),
    Minus(Box<(Set, Set)>),
    UpTo(Box<(Set, Set)>),
    DownTo(Box<(Set, Set)>),
    /// The members of a set that are not in the other: the whole domain lies there.
    Complement(At, Box<Set>),
    Of(Box<[Num]>),
    Collect(Box<Range>),
    Sift(Box<Sift>),
    Walk(Box<Walk>),
    Closure(Box<Closure>),
    /// The members from which a step leads into a set.
    Back(Box<(Back, Set)>),
    Reach(Box<Reach>),
    Call(Box<Call>),
}

/// The steps of a table backwards: from a set to the members whose step leads there.
#[derive(Clone, Debug)]
pub(crate) enum Back {
    /// Every step leads this many members on, from the members that lie there.
    Shift(i64, At),
    /// The sets of members from which steps lead to each member, of so many words each.
    Sets(At, usize),
}

/// The places from which a walk meets a set, for all places at once.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub(crate) pass: Set,
    /// What is to be met.
    pub(crate) meet: Set,
    pub(crate) step: Back,
    /// Whether the place that stops a walk counts too.
    pub(crate) with_stop: bool,
    /// Room for two more sets.
    pub(crate) room: [At; 2],
}

/// A sequence; what is computed goes to `to`.
#[derive(Clone, Debug)]
pub(crate) struct Seq {
    /// Words that it may need.
    pub(crate) words: usize,
    pub(crate) to: At,
    pub(crate) kind: SeqKind,
}

#[derive(Clone, Debug)]
pub(crate) enum SeqKind {
    At(At),
    Env(At, At, Site),
    Cell(Box<Cell>),
    If(Box<(Num, Seq, Seq)>),
    Of(Box<[Num]>),
    Concat(Box<(Seq, Seq)>),
    /// The items that are in the other, or that are not.
    Filter(Box<(Seq, Seq)>, bool),
    Call(Box<Call>),
}

/// A value of any type.
#[derive(Clone, Debug)]
pub(crate) enum Val {
    Num(Num),
    Set(Set),
    Seq(Seq),
}

/// A bound variable, what it ranges over and what is asked of each.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) local: At,
    pub(crate) over: Over,
    /// The predicate or summand; nothing where all members pass.
    pub(crate) body: Option<Num>,
}

#[derive(Clone, Debug)]
pub(crate) enum Over {
    /// Numbers from 0.
    Below(i64),
    Set(Set),
    Seq(Seq),
    Between(Num, Num),
}

#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) start: Num,
    /// Where the next places lie, and how many there are.
    pub(crate) step: At,
    pub(crate) len: usize,
    pub(crate) local: At,
    pub(crate) pass: Num,
    pub(crate) give: WalkGive,
}

#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) from: Set,
    /// Where the sets of neighbours lie.
    pub(crate) edges: At,
    pub(crate) local: At,
    pub(crate) pass: Num,
    /// Room for the members that wait and those that were tested.
    pub(crate) waiting: At,
    pub(crate) tested: At,
}

/// A call: values of arguments and where they go, first aside and then to the function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) func: usize,
    pub(crate) args: Box<[Arg]>,
    /// Whether the arguments must not go straight to the function.
    pub(crate) aside: bool,
    pub(crate) site: Site,
}

#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) value: Val,
    pub(crate) aside: At,
    pub(crate) to: At,
    pub(crate) words: usize,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Func {
    /// The number of its first operation, and where a call says which one comes after it.
    pub(crate) entry: usize,
    pub(crate) back: At,
    /// The words of its parameters and its value.
    pub(crate) head: std::ops::Range<At>,
    /// Those of its other local variables.
    pub(crate) locals: std::ops::Range<At>,
    /// All its other words: these and what it works out on the way.
    pub(crate) frame: std::ops::Range<At>,
    /// Where its value goes.
    pub(crate) value: std::ops::Range<At>,
    pub(crate) recursive: bool,
    /// Where the number of the position and the arguments lie for which the value was found last, if it is kept.
    pub(crate) memo: Option<At>,
}

/// What is tested before a variable takes a value.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) to: Target,
    pub(crate) admits: Admits,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    At(At),
    /// A variable of the environment, and the word that says that it has a value.
    Env(At, At),
    Cell(Box<Cell>),
}

#[derive(Clone, Debug)]
pub(crate) enum Admits {
    All,
    Range(i64, i64, Site),
    /// So many items, each of a range.
    Items(i64, i64, i64, Site, Site),
}

/// A statement, of which operations are made.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Set(Store, Val),
    /// A cell of a variable that others watch: listeners, or sets that are kept.
    SetWatched(Box<Watched>),
    Put(usize, Num, Num, Site),
    Take(usize, Num),
    SetContent(usize, Num, Num),
    If(Num, Box<[Step]>, Box<[Step]>),
    For(Box<For>),
    Each(Box<Each>),
    While(Box<While>),
    Break,
    Continue,
    /// A call, and where its value goes.
    Call(Call, Option<(At, usize)>),
    Return(Option<(Val, At, usize)>),
    /// Whether what is told can neither fault nor do anything else, so that nobody misses it.
    Emit(Box<Emit>, bool),
    Fault(Site),
    Spend(Site),
    End(EndReason, Set),
    Try(Box<Trial>),
    Fail(Site),
    Snapshot(usize),
    Restore(usize, Site),
    Note(usize, Site),
    Forget(usize),
    Stop(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) store: Store,
    pub(crate) value: Val,
    /// The variable, by number.
    pub(crate) var: u32,
    pub(crate) told: bool,
}

/// What a round of a loop costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    Nothing,
    Work(Site),
    /// Rounds of this loop are counted by themselves, since it may stop.
    Counted(Site),
}

#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) local: At,
    pub(crate) from: Num,
    pub(crate) to: Num,
    pub(crate) count: Count,
    pub(crate) charge: Charge,
    pub(crate) body: Box<[Step]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Each {
    pub(crate) local: At,
    pub(crate) over: Over,
    /// Room for what is ranged over, which the body may change.
    pub(crate) room: At,
    pub(crate) body: Box<[Step]>,
}

#[derive(Clone, Debug)]
pub(crate) struct While {
    pub(crate) cond: Num,
    pub(crate) bound: u32,
    pub(crate) charge: Charge,
    pub(crate) body: Box<[Step]>,
    pub(crate) site: Site,
}

#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) body: Box<[Step]>,
    pub(crate) keep: bool,
    pub(crate) ok: At,
    pub(crate) value: Option<(Val, At, usize)>,
    /// The function around it.
    pub(crate) owner: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Emit {
    Log(Vec<Said>),
    Signal(String, Vec<(Val, Type)>),
    /// A counter, and what is counted.
    Count(u32, Option<Val>),
}

/// A part of a line of a log.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Text(String),
    Value(Val, Type),
}

/// A state variable.
#[derive(Clone, Debug)]
pub(crate) struct VarCode {
    pub(crate) base: At,
    pub(crate) width: usize,
    pub(crate) cells: usize,
    pub(crate) ty: Type,
    /// The sets that are kept by its values, with the placements by which the pieces it speaks of stand.
    pub(crate) watchers: Vec<usize>,
}

/// A placement.
#[derive(Clone, Debug)]
pub(crate) struct PlacementCode {
    /// The place of each piece; nothing where only kinds are known.
    pub(crate) place_of: Option<At>,
    /// The piece or kind on each place, where there is room for one.
    pub(crate) content: Option<At>,
    pub(crate) pieces: usize,
    pub(crate) places: usize,
    /// The set of the pieces on each place, one after another, where there is room for several and somebody asks for them.
    pub(crate) crowds: Option<Crowds>,
    /// The sets of pieces that are kept by where they stand.
    pub(crate) supplies: Vec<Supply>,
    /// The sets that are kept of it.
    pub(crate) kept: Vec<usize>,
    /// Those among them whose tests look at more than the content.
    pub(crate) tested: Vec<usize>,
    /// The kind of nothing and of each content: those of one kind are in the same sets.
    pub(crate) kinds: Vec<usize>,
    /// The sets that one of two kinds is in and the other is not: of each kind after each.
    pub(crate) changes: Vec<Box<[At]>>,
    /// How many kinds there are.
    pub(crate) many: usize,
}

/// The set of the pieces that stand on some of the places.
#[derive(Clone, Debug)]
pub(crate) struct Supply {
    pub(crate) at: At,
    /// Whether each place is one of these.
    pub(crate) places: Vec<bool>,
}

/// Sets of pieces, one for each place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowds {
    pub(crate) at: At,
    /// The words of each.
    pub(crate) words: usize,
}

impl Crowds {
    /// The word in which a piece is that stands on a place, and its bit there.
    #[inline]
    pub(crate) fn spot(self, piece: usize, place: usize) -> (At, i64) {
        (self.at + place * self.words + piece / 64, 1 << (piece % 64))
    }
}

/// The places whose content passes a test.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) placement: usize,
    pub(crate) at: At,
    /// Where the test finds the content.
    pub(crate) content: At,
    pub(crate) test: Num,
    /// What the test gives for nothing and for each content, where it depends on nothing else.
    pub(crate) known: Option<Vec<bool>>,
}

/// What stands at a point where play stops.
#[derive(Clone, Debug)]
pub(crate) enum Point {
    Choose(Choose),
    Chance(Chance),
}

#[derive(Clone, Debug)]
pub(crate) struct Choose {
    /// The first operation of what tells who decides, and what the families are given.
    pub(crate) decide: usize,
    pub(crate) arms: Vec<Arm>,
    pub(crate) otherwise: Option<usize>,
    pub(crate) site: Site,
    /// Whether ranks decide.
    pub(crate) ranked: bool,
    /// Whether one legal move tells that there is any: looking for others could not fault.
    pub(crate) any_does: bool,
    /// Whether whole runs of moves are told apart by what their classes are without the last parameter.
    pub(crate) splits: bool,
    /// Whether random moves are drawn among candidates and judged then.
    pub(crate) tries: bool,
    /// Operations that find the legal moves, if there are such, but for classes of moves, if there are such.
    pub(crate) plan: Option<usize>,
    /// The same from the stop there on.
    pub(crate) turn: Option<u16>,
    pub(crate) classed: bool,
}

/// How a random game goes on at a stop without leaving the inner loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// It does not.
    Leaves,
    /// A decision: operations from there find the moves, and whether these are not judged.
    Moves(u16, bool),
    /// One of so many results from the first one on, all alike; where it goes, and the operation that follows.
    Draw(At, i64, u64, u16),
}

#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) family: usize,
    /// The packed form of its first move, and how many there are.
    pub(crate) base: u64,
    pub(crate) len: u64,
    /// Where the arguments go.
    pub(crate) bind: Vec<Bound>,
    /// The number of the first operation of what follows.
    pub(crate) body: usize,
}

/// Where an argument goes, the value that digit 0 stands for, and how many digits there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) to: At,
    pub(crate) lo: i64,
    pub(crate) radix: u64,
    /// 2^64 by the number of digits, rounded up.
    pub(crate) inverse: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Chance {
    pub(crate) draw: usize,
    pub(crate) dist: Dist,
    pub(crate) into: At,
    pub(crate) resume: usize,
    /// The values that the draw admits.
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) none: Site,
    pub(crate) outside: Site,
    pub(crate) overflow: Site,
}

#[derive(Clone, Debug)]
pub(crate) enum Dist {
    Uniform(Num, Num),
    Weighted { local: At, over: Over, weight: Num },
}

/// A family of moves, or a kind of draw (whose only parameter is what is drawn).
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    /// The packed form of its first move.
    pub(crate) base: u64,
    pub(crate) len: u64,
    /// Of each parameter the value that digit 0 stands for, and how many digits there are.
    pub(crate) digits: Vec<(i64, u64)>,
}

/// Where the candidates of a family come from and what decides about them.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) codes: Codes,
    /// Where the context lies, and how many words each value has.
    pub(crate) context: Vec<(At, usize)>,
    pub(crate) params: Vec<Param>,
    pub(crate) questions: Vec<Question>,
    pub(crate) after: Option<usize>,
    pub(crate) effect: Option<usize>,
    pub(crate) rank: Option<usize>,
    pub(crate) class: Vec<Val>,
    /// Which values of the class look at the last parameter.
    pub(crate) of_last: Vec<bool>,
    /// Whether the values of the class that look at the last parameter look at nothing else, and tell all its candidates apart.
    pub(crate) splits: bool,
    /// Whether looking for moves can neither fault nor spend work, judging positions after them among it.
    pub(crate) harmless: bool,
    /// The words that are 0 when a chain of evaluation begins, of those that anything looks at that is asked while moves are
    /// looked for: the work that was done, and which variables of the environment have values.
    pub(crate) afresh: Vec<At>,
    /// Whether every candidate for the last parameter is a legal move where no ranks decide.
    pub(crate) free: bool,
    /// The number of the parameter from which on the rest is a product: a member, what follows from it, and a member that
    /// both have no say in.
    pub(crate) product: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) at: At,
    pub(crate) source: Source,
    /// Conditions on this parameter alone: sets of what passes. They are asked once for all candidates.
    pub(crate) sets: Vec<Set>,
    /// Conditions on this parameter and others before it: the same, for each of their values.
    pub(crate) late: Vec<Set>,
    /// Room for the candidates as far as no other parameter has a say in them, and for those that are left.
    pub(crate) room: At,
    pub(crate) rest: At,
    pub(crate) words: usize,
    /// Whether no other parameter has a say in its candidates.
    pub(crate) is_alone: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// The members of a constant set.
    Members(At),
    /// The members of a row of a table of sets, by the parameter that lies there.
    Row(At, At),
    Is(Num),
    /// The place of the piece that is the parameter before, if the word for that place in a table is not 0; then where the set
    /// of the pieces lies for which it is not.
    Place(At, At, At),
    /// The members of a set, which may look at the parameters before.
    Computed(Set),
    Set(usize),
    Seq(usize),
}

/// A condition that is asked as soon as so many parameters are bound.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) bound: usize,
    pub(crate) ask: Ask,
    /// Where answers are remembered, if they are: [`Code::asked`] by number.
    pub(crate) asked: Option<u16>,
    /// The condition, where it is one.
    pub(crate) holds: Option<Num>,
}

#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// The number of the first operation, and where the answer lies.
    Holds(usize, At),
    /// A function of all values.
    Function(usize),
    /// A function whose parameters lie where they are bound.
    Rest(usize),
}

/// A term of an identity.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    Everything,
    Each(EachTerm),
    Bag(EachTerm),
    Value(Val, Type),
    Parts(crate::ir::Parts),
}

#[derive(Clone, Debug)]
pub(crate) struct EachTerm {
    pub(crate) len: usize,
    pub(crate) local: At,
    pub(crate) when: Num,
    pub(crate) values: Vec<(Val, Type)>,
}

/// A slot for values: whether it has any, then copies.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotCode {
    pub(crate) flag: At,
    /// From where, to where, how many words.
    pub(crate) copies: Vec<(At, At, usize)>,
    pub(crate) placements: Vec<usize>,
}

/// A game.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) sites: Vec<(FaultCode, Span)>,
    /// What memory holds at the start.
    pub(crate) image: Vec<i64>,
    /// The words of a position: these come first.
    pub(crate) position: usize,
    /// The words of the environment, which follow.
    pub(crate) env: std::ops::Range<At>,
    pub(crate) vars: Vec<VarCode>,
    pub(crate) placements: Vec<PlacementCode>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) snapshots: Vec<SnapshotCode>,
    pub(crate) funcs: Vec<Func>,
    pub(crate) families: Vec<Family>,
    pub(crate) draws: Vec<Codes>,
    pub(crate) start: usize,
    pub(crate) points: Vec<Point>,
    /// Who decides, as a set.
    pub(crate) players: At,
    pub(crate) identities: Vec<Vec<Term>>,
    /// How each trail tells positions apart.
    pub(crate) trails: Vec<Form>,
    /// Whether identities may look at sets that are kept.
    pub(crate) identities_ask_kept: bool,
    /// Room for any set.
    pub(crate) spare: At,
    /// What memory holds behind the words that operations can name.
    pub(crate) beyond: Vec<i64>,
    /// The work that was done, the number of the position (another one after every change), and whether anybody listens.
    pub(crate) work: At,
    pub(crate) version: At,
    /// The number of the search for moves, which is even.
    pub(crate) search: At,
    pub(crate) heard: At,
    /// Whether one move is all that is looked for, and whether candidates are not judged.
    pub(crate) any: At,
    pub(crate) candidates: At,
    /// Whether a run goes on at a point where it stops, to the moves there; then the point, or -1, and the work done before.
    pub(crate) playing: At,
    /// How it goes on at each point.
    pub(crate) turns: Vec<Turn>,
    /// What is run.
    pub(crate) ops: Vec<Op>,
    /// The sites of those operations that may fault, in order.
    pub(crate) faults: Vec<(usize, Site)>,
    /// [`Func::entry`] and [`Func::back`] of each function as operations name them: what the inner loop reads at a call is four
    /// bytes.
    pub(crate) entries: Vec<(u16, Reg)>,
    /// What operations name by number.
    pub(crate) places: Vec<Place>,
    pub(crate) nums: Vec<Num>,
    pub(crate) sets: Vec<Set>,
    pub(crate) calls: Vec<Call>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) memos: Vec<Memo>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) packed: Vec<Packed>,
    pub(crate) rays: Vec<Rays>,
    pub(crate) sifted: Vec<crate::op::Sifted>,
    pub(crate) choices: Vec<Box<[crate::op::Choice]>>,
    pub(crate) meetings: Vec<Meeting>,
    pub(crate) products: Vec<Product>,
    pub(crate) found_rows: Vec<RowsFound>,
    pub(crate) found_steps: Vec<StepsFound>,
    pub(crate) rows: Vec<WordRows>,
    pub(crate) trials: Vec<Tried>,
}

impl Code {
    /// The site of an operation that may fault.
    pub(crate) fn fault_at(&self, op: usize) -> Site {
        let known = self.faults.binary_search_by_key(&op, |(at, _)| *at);
        known.map_or(Site::MAX, |index| self.faults[index].1)
    }

    /// What memory holds at the start.
    pub(crate) fn memory(&self) -> Vec<i64> {
        let mut words = vec![0; NEAR + self.beyond.len()];
        words[..self.image.len()].copy_from_slice(&self.image);
        words[NEAR..].copy_from_slice(&self.beyond);
        words
    }

    /// The first site where this goes wrong at this place of the rules.
    pub(crate) fn site_of(&self, fault: &FaultCode, span: Span) -> Option<Site> {
        let mut sites = self.sites.iter();
        let site = sites.position(|(known, at)| known == fault && *at == span);
        site.map(|site| site as Site)
    }

    /// What goes wrong at a site, and where.
    pub(crate) fn fault(&self, site: Site) -> (FaultCode, Span) {
        let known = self.sites.get(site as usize).cloned();
        known.unwrap_or((FaultCode::Failed, Span::default()))
    }
}
