//! The words of rule sets, as editors explain them.

use crate::symbols::{Kind, Word};

const fn key(name: &'static str, syntax: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Property, syntax, meaning)
}

const fn word(name: &'static str, meaning: &'static str) -> Word {
    Word::new(name, Kind::Keyword, name, meaning)
}

/// The word that begins an order.
pub(super) const ORDER: Word = Word::new(
    "Order",
    Kind::Keyword,
    "Order NAME = [[1, 2], [3]]",
    "An order of cells, the front group first; cells that it does not list come last.",
);

/// Keys of an atom.
pub(super) const KEYS: &[Word] = &[
    key("count", "count:N", "How many moves the atom accepts."),
    key(
        "shape",
        "shape:square",
        "The piece has one of these shapes.",
    ),
    key(
        "color",
        "color:[red, blue]",
        "The piece has one of these colors.",
    ),
    key(
        "pos",
        "pos:T",
        "Cells, or orders in which the piece must be among the first that are still there.",
    ),
    key(
        "postpos",
        "postpos:T",
        "The same, among those pieces only that the rest of the atom accepts.",
    ),
    key(
        "bucket",
        "bucket:[0, 1]",
        "The buckets that take the piece: 0 to 3, clockwise from the upper left.",
    ),
    key(
        "code",
        "code:this.pos>last.pos",
        "A condition that holds if its value is not empty.",
    ),
];

/// Variables of expressions.
pub(super) const VARIABLES: &[Word] = &[
    word(
        "p",
        "The bucket of the last move; no value before the first.",
    ),
    word("pc", "The bucket of the last piece of the same color."),
    word("ps", "The bucket of the last piece of the same shape."),
    word(
        "q",
        "The last piece that the bucket took, or by a property the last piece that agrees in it.",
    ),
    word("this", "The piece that is tried."),
    word("last", "The piece of the last move."),
    word("Nearby", "The nearest bucket."),
    word("Remotest", "The bucket that is farthest away."),
];

/// Properties behind a dot.
pub(super) const PROPERTIES: &[Word] = &[
    key("pos", "this.pos", "The cell, from 1."),
    key("bucket", "last.bucket", "The bucket that took the piece."),
    key("shape", "this.shape", "The shape."),
    key("color", "this.color", "The color."),
];

/// Built-in orders.
pub(super) const ORDERS: &[Word] = &[
    word("T", "Rows from the top."),
    word("B", "Rows from the bottom."),
    word("L", "Columns from the left."),
    word("R", "Columns from the right."),
    word(
        "L1",
        "Cells one by one: rows from the top, each from the left.",
    ),
    word(
        "L2",
        "Cells one by one: rows from the top, each from the right.",
    ),
    word(
        "L3",
        "Cells one by one: columns from the right, each from the top.",
    ),
    word(
        "L4",
        "Cells one by one: columns from the left, each from the top.",
    ),
    word("NearestObject", "Cells nearest to a bucket first."),
    word("Farthest", "Cells farthest from all buckets first."),
];

/// All words.
pub(super) fn all() -> Vec<Word> {
    let mut all = vec![ORDER];
    for list in [KEYS, VARIABLES, PROPERTIES] {
        for word in list {
            if !all.iter().any(|known| known.name == word.name) {
                all.push(*word);
            }
        }
    }
    let known = super::lower::BUILT_IN;
    all.extend(ORDERS.iter().filter(|word| known.contains(&word.name)));
    all
}
