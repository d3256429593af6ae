//! Operations: what runs are made of, one after another in one list.
//!
//! All operands are words of memory, constants among them, so an operation needs not to know what kind of operand it has. An
//! operation takes eight bytes, and the words that it names are among the first [`NEAR`], so that no access to them is
//! tested. What may go wrong has its site beside the list, since nobody asks before it does.

use crate::code::*;
use crate::ir::{BinaryOp, EndReason};

/// The words that operations can name, and how many operations there are at most.
pub(crate) const NEAR: usize = 1 << 16;

/// The number of the operation that ends what is run.
pub(crate) const HALT: u16 = 0;

/// A word of memory.
pub(crate) type Reg = u16;

/// How far a jump leads from the operation behind it.
pub(crate) type Jump = i16;

/// An operation; where it gives a value, the word for it comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// The end of what was to be run.
    Halt,
    /// The end of the search for moves: where a random game goes on, one of them is drawn and played.
    Draw,
    /// The end of a trial that leaves more than the trial.
    Leave(Flow),
    Move(Reg, Reg),
    Not(Reg, Reg),
    Equal(Reg, Reg, Reg),
    Unequal(Reg, Reg, Reg),
    Less(Reg, Reg, Reg),
    AtMost(Reg, Reg, Reg),
    /// Integers of 64 bits; an overflow is a fault.
    Add(Reg, Reg, Reg),
    Subtract(Reg, Reg, Reg),
    Multiply(Reg, Reg, Reg),
    Least(Reg, Reg, Reg),
    Greatest(Reg, Reg, Reg),
    Exact(BinaryOp, Reg, Reg, Reg),
    /// Integers of 32 bits that wrap.
    Wrapping(BinaryOp, Reg, Reg, Reg),
    /// A sum that is never too great.
    Plus(Reg, Reg, Reg),
    Negate(Reg, Reg),
    Absolute(Reg, Reg),
    WrapNegate(Reg, Reg),
    WrapAbsolute(Reg, Reg),
    ToWrap(Reg, Reg),
    IsSome(Reg, Reg),
    /// What is there; a fault if nothing is.
    Get(Reg, Reg),
    /// The member with an integer: where that of member 0 lies, and after it how many there are.
    Member(Reg, Reg, Reg),
    /// A word among those from another on, by a number that is never outside.
    Among(Reg, Reg, Reg),
    SetAmong(Reg, Reg, Reg),
    /// A word of a table or variable.
    Load(Reg, u16),
    /// The number of the word of a table or variable, and storing there.
    Locate(Reg, u16),
    Store(Reg, Reg),
    /// Whether a set that lies there has a member.
    Has(Reg, Reg, Reg),
    /// Sets of one word.
    Both(Reg, Reg, Reg),
    Either(Reg, Reg, Reg),
    Without(Reg, Reg, Reg),
    UpTo(Reg, Reg, Reg),
    DownTo(Reg, Reg, Reg),
    Insert(Reg, Reg),
    /// A set of one word with a member, or without it.
    With(Reg, Reg, Reg),
    Lacking(Reg, Reg, Reg),
    /// The set of one member, of one word.
    Only(Reg, Reg),
    Size(Reg, Reg),
    /// A word of a set whose numbers go down by so many: of its own bits and those of the next word.
    Slide(u8, Reg, Reg, Reg),
    /// The word whose number lies there.
    Fetch(Reg, Reg),
    /// A step backwards: the numbers go down by so many, and what is left is cut with a set.
    StepBack(Reg, Reg, i8),
    /// The union of the sets of members that lie there.
    Collect(Reg, Reg, Reg),
    /// The members of a set of one word whose word in a row compares so with a value: [`Sifted`] by number.
    Sift(Reg, Reg, u16),
    /// The union of sets of one word that are there where words have some values: [`Choice`]s by number.
    Choose(Reg, u16),
    /// What some rows hold for a number, all together: [`Rays`] by number.
    Rays(Reg, Reg, u16),
    /// Whether one of some rows is part of a set, all of one word: [`WordRows`] by number.
    AnyRow(Reg, u16),
    /// The pieces of a set, of one word, from whose places a row of a table leads into another set: [`Meeting`] by number.
    Meet(Reg, Reg, u16),
    /// A packed form: [`Packed`] by number.
    Pack(Reg, u16),
    /// A move was found, by its packed form; the moves whose last digit is in a set of one word, by that with the digit 0.
    Find(u16),
    FindAll(u16, Reg),
    /// Adds the moves of a family whose last three parameters are a piece, its place, and any candidate, where both sets are of
    /// one word: [`Product`] by number.
    FindProduct(u16),
    /// Adds the moves of a family whose last two parameters are a member of a set, and one of a row of a table by it, all of
    /// one word: [`RowsFound`] by number.
    FindRows(u16),
    /// Adds the moves of a family whose last three parameters are a piece, its place, and a member of a row of a table by that,
    /// all of one word: [`StepsFound`] by number.
    FindSteps(u16),
    Jump(Jump),
    If(Reg, Jump),
    Unless(Reg, Jump),
    IfSome(Reg, Jump),
    IfNone(Reg, Jump),
    IfEqual(Reg, Reg, Jump),
    IfUnequal(Reg, Reg, Jump),
    IfLess(Reg, Reg, Jump),
    IfAtMost(Reg, Reg, Jump),
    IfHas(Reg, Reg, Jump),
    IfLacks(Reg, Reg, Jump),
    /// A number is one of those, below 64, of a set of one word; or it is not.
    IfOneOf(Reg, Reg, Jump),
    IfNoneOf(Reg, Reg, Jump),
    /// Two sets of one word have members in common; or they do not.
    IfMeet(Reg, Reg, Jump),
    IfApart(Reg, Reg, Jump),
    /// Takes the least member from a set of one word, or jumps if there is none.
    Next(Reg, Reg, Jump),
    /// Takes the least member from a set of one word and jumps if there is one: the foot of a loop.
    Again(Reg, Reg, Jump),
    /// The next number up to another, and a jump if there is one.
    Up(Reg, Reg, Jump),
    /// A fault if a value is outside of the range whose ends lie there.
    Check(Reg, Reg),
    /// The same, and storing the value.
    Admit(Reg, Reg, Reg),
    /// Adds to a word, or takes from it; a fault if that is outside of the range whose ends lie there, or overflows.
    Grow(Reg, Reg, Reg),
    Shrink(Reg, Reg, Reg),
    /// Pays for a round.
    Charge,
    /// One more round; a fault if there were as many as that already.
    Round(Reg, Reg),
    /// Both: one more round, and it is paid for.
    Lap(Reg, Reg),
    /// A fault; one if a word is 0.
    Fault,
    Require(Reg),
    /// The value of a function is known for its arguments: on behind the call and the next operation, which remembers it.
    Recall(u16),
    Remember(u16),
    /// A question was answered in this search already: the answer, and a jump. If not, it is worked out, and then remembered:
    /// [`Asked`] by number.
    Answered(Reg, u16, Jump),
    Answer(Reg, u16),
    /// Runs a function that no call is at work on.
    Call(u16),
    Return(Reg),
    /// What needs more than words; these are not run by the inner loop.
    Num(Reg, u16),
    Word(Reg, u16),
    Invoke(u16),
    Put(u8, Reg, Reg),
    Take(u8, Reg),
    Content(u8, Reg, Reg),
    Stop(u16),
    End(EndReason, Reg),
    Slow(u16),
    /// A trial: what follows are the ways to go on if it ends as usual, with a break, or with another round.
    Try(u16),
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return,
    /// Play stops at a point of the machine.
    Stop,
    /// The rules ended the game.
    End,
}

/// What needs more than words.
#[derive(Clone, Debug)]
pub(crate) enum Slow {
    Set(Store, Val),
    /// A variable that others watch, by number; the word at whose number its new value goes, the value, and whether
    /// listeners hear of it.
    Watched(u32, Reg, Reg, bool),
    SetWatched(Box<Watched>),
    Copy(At, At, usize),
    /// Whether one of some rows is part of a set.
    SomeRow(RowsAsked),
    End(EndReason, Set),
    Emit(Emit),
    Fail(Site),
    Snapshot(usize),
    Restore(usize, Site),
    Note(usize, Site),
    Forget(usize),
    /// The words of a set or sequence, for a loop whose body may change it.
    Keep(Val, At),
    /// What plans of moves need: a new chain of evaluation.
    Fresh,
    /// The moves that were found are none: one of a higher rank was.
    FindNone,
    /// Whether a move was found.
    SomeFound(Reg),
    /// The same as [`Op::FindAll`] for a set of several words.
    FindAll(Reg, At, usize),
    /// The same as [`Op::FindProduct`] for sets of several words.
    Product(u16),
    /// The same as [`Op::FindRows`] where words lie beyond those that operations can name.
    Rows(RowsFound),
    /// The places from which a walk meets a set, of one or two words, and where they go.
    Reach(Reached, At),
    /// A row of a table of sets, by the number that lies there; how many words, and where they go.
    Row(At, Reg, usize, At),
    /// Runs a function of a family and so many of its parameters.
    Ask(usize, usize, usize),
    /// Whether a candidate of an arm of a decision passes the judgement of the position after it.
    Judge(usize, usize, Reg),
    /// The item of a number in a sequence that lies there, counted up; the number is -1 if there is none.
    NextItem(At, Reg, Reg),
    /// Takes the least member from a set of several words: where it lies, how many, and where the member goes; -1 if there is
    /// none.
    NextMember(At, usize, Reg),
}

/// A place among those of a variable or table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) base: At,
    pub(crate) index: Box<[PlaceAxis]>,
    /// The word that is meant wherever an index is outside; without it that is a fault.
    pub(crate) outside: Option<At>,
}

/// An index: the integer that 0 stands for, how many there are, and the words from one to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaceAxis {
    pub(crate) index: Reg,
    pub(crate) lo: i64,
    pub(crate) len: u64,
    pub(crate) stride: usize,
}

/// Lines of a board from one place on, up to the first place of a set each, all together: sets of one word.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    pub(crate) stops: Reg,
    pub(crate) each: Box<[Ray]>,
}

/// The rows of a table, by the word of row 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub(crate) row: Reg,
    pub(crate) end: RayEnd,
    pub(crate) within: Within,
}

/// The members that are left of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RayEnd {
    /// All of them.
    Open,
    /// Those up to the least one where it stops.
    UpTo,
    /// Those down to the greatest one where it stops.
    DownTo,
}

/// Where members have to be, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Anywhere,
    Set(Reg),
    /// The row of another table for the same number, by the word of row 0.
    Row(Reg),
}

/// Moves of a piece of a set of so many words, its place, and a member of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    /// Where the packed form of the first of them lies.
    pub(crate) first: Reg,
    pub(crate) pieces: At,
    pub(crate) words: usize,
    /// Where the places of pieces lie.
    pub(crate) places: At,
    /// The numbers from one piece to the next, and from one place to the next.
    pub(crate) strides: [u64; 2],
    pub(crate) last: At,
    pub(crate) last_words: usize,
}

/// Where the places of pieces lie, the row of place 0, and the set that rows are to meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) places: Reg,
    pub(crate) table: Reg,
    pub(crate) pass: Reg,
}

/// Members that are compared: how, the set, and where the word of member 0 lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sifted {
    pub(crate) compare: Compare,
    pub(crate) set: Reg,
    pub(crate) row: Reg,
}

/// What some sets of one word have in common, if two words have one of some values each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// A bit for each value from -1 on; the last one is for all others.
    pub(crate) values: [u64; 2],
    pub(crate) words: [Reg; 2],
    pub(crate) sets: [Reg; 3],
}

/// Rows of a table of sets of one word, one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordRows {
    /// The first: [`Place`] by number, of a table that operations can name.
    pub(crate) place: u16,
    pub(crate) count: usize,
    pub(crate) set: Reg,
}

/// Moves of a member of a set of one word, and of a member of a row of a table, which is a run of its own where operations can
/// name all words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsFound {
    /// Where the packed form of the first of them lies.
    pub(crate) first: Reg,
    pub(crate) set: At,
    /// The numbers from one member to the next.
    pub(crate) stride: u64,
    pub(crate) table: At,
    /// The set in which members of rows are to be, or not to be.
    pub(crate) pass: Option<(At, bool)>,
}

/// Moves of a piece of a set, its place, and a member of the row of a table by that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepsFound {
    /// Where the packed form of the first of them lies.
    pub(crate) first: Reg,
    pub(crate) set: Reg,
    /// Where the places of pieces lie, and the row of place 0.
    pub(crate) places: Reg,
    pub(crate) table: Reg,
    /// The set in which members of rows are to be.
    pub(crate) pass: Reg,
    /// The numbers from one piece to the next, and from one place to the next.
    pub(crate) strides: [u64; 2],
}

/// Rows of a table of sets of so many words, one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsAsked {
    pub(crate) to: Reg,
    /// Where the number of the first word of the first row lies.
    pub(crate) first: Reg,
    /// The row that is meant outside of the table.
    pub(crate) outside: Option<At>,
    /// The same of the rows of another table, with which the set is to have no more in common than these.
    pub(crate) within: Option<(Reg, Option<At>)>,
    pub(crate) count: usize,
    pub(crate) words: usize,
    pub(crate) set: At,
}

/// Where the value of a function is known for: its arguments follow the number of the position, and lie there at a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memo {
    pub(crate) at: At,
    pub(crate) args: At,
    pub(crate) words: usize,
}

/// A packed form: that of the first move of a family, and what to add for each digit that lies there.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) base: i64,
    pub(crate) digits: Box<[(Reg, i64)]>,
}

/// Where the answers of a question lie: each is the number of the search that it belongs to, but for its last bit.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) first: At,
    /// Where the values lie that it looks at, and by what to multiply each for the place of the answer.
    pub(crate) by: Box<[(At, usize)]>,
}

impl Asked {
    /// The place of the answer for the present values.
    #[inline]
    pub(crate) fn place(&self, words: &[i64]) -> At {
        let by = self.by.iter();
        by.fold(self.first, |place, (at, stride)| {
            place.wrapping_add((words[*at] as usize).wrapping_mul(*stride))
        })
    }
}

/// [`crate::code::Reach`] of sets of one or two words that lie there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) words: usize,
    pub(crate) pass: At,
    pub(crate) meet: At,
    /// Every step leads so many members on, from those that lie there.
    pub(crate) by: i8,
    pub(crate) steps: At,
    pub(crate) with_stop: bool,
}

/// A trial.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) body: usize,
    pub(crate) keep: bool,
    pub(crate) ok: At,
    pub(crate) value: Option<(Val, At, usize)>,
    /// The function around it.
    pub(crate) owner: usize,
}

const _: () = assert!(size_of::<Op>() == 8);
