//! Sums of products that are worked out when somebody asks for them.
//!
//! Most of what a run computes needs only one of the two forms of a truth value, and the other one is that which grows.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::sums::{Cube, Sum, products, sums};

/// Sums that wait for one another at most: what waits is worked out, and forgotten, one inside of the other.
const MOST_PENDING: usize = 256;

/// A sum of products, or that it grew too long.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Known(Option<Sum>),
    Later(Rc<Pending>),
}

/// What is worked out once.
#[derive(Debug)]
pub(super) struct Pending {
    sum: OnceCell<Option<Sum>>,
    /// What it is made of, until it is.
    parts: RefCell<Option<(Form, Form, Make)>>,
    /// Sums that wait inside of this one, one for the other.
    depth: usize,
}

/// How two sums become one.
type Make = fn(&Option<Sum>, &Option<Sum>) -> Option<Sum>;

impl Pending {
    fn sum(&self) -> &Option<Sum> {
        self.sum.get_or_init(|| {
            let (one, other, make) = self.parts.take()?;
            make(one.sum(), other.sum())
        })
    }
}

impl Form {
    /// One of one product.
    pub(super) fn of(product: Cube) -> Form {
        Form::Known(Some(Rc::from([product])))
    }

    /// One that never holds.
    pub(super) fn never() -> Form {
        Form::Known(Some(Rc::from([])))
    }

    pub(super) fn sum(&self) -> &Option<Sum> {
        match self {
            Form::Known(sum) => sum,
            Form::Later(pending) => pending.sum(),
        }
    }

    /// The sum, if it has been worked out.
    pub(super) fn known(&self) -> Option<&Option<Sum>> {
        match self {
            Form::Known(sum) => Some(sum),
            Form::Later(pending) => pending.sum.get(),
        }
    }

    /// Both as one; at once where that is little work.
    pub(super) fn either(&self, other: &Form) -> Form {
        match (self.known(), other.known()) {
            (Some(None), _) | (_, Some(None)) => Form::Known(None),
            (Some(one), Some(other)) => Form::Known(sums(one, other)),
            _ => self.either_later(other),
        }
    }

    /// Both as one, where nobody may ask for it.
    pub(super) fn either_later(&self, other: &Form) -> Form {
        self.later(other, sums)
    }

    /// Whether it is known to be short enough.
    pub(super) fn is_short(&self) -> bool {
        self.known().is_some_and(Option::is_some)
    }

    /// The products of each of one with each of another one; at once where that is little work.
    pub(super) fn both(&self, other: &Form) -> Form {
        match (self.known(), other.known()) {
            (Some(None), _) | (_, Some(None)) => Form::Known(None),
            (Some(Some(one)), Some(Some(other))) if one.len().min(other.len()) <= 1 => {
                Form::Known(products(&Some(one.clone()), &Some(other.clone())))
            }
            _ => self.later(other, products),
        }
    }

    fn later(&self, other: &Form, make: Make) -> Form {
        let depth = 1 + self.depth().max(other.depth());
        if depth > MOST_PENDING {
            return Form::Known(make(self.sum(), other.sum()));
        }
        let parts = (self.clone(), other.clone(), make);
        Form::Later(Rc::new(Pending {
            sum: OnceCell::new(),
            parts: RefCell::new(Some(parts)),
            depth,
        }))
    }

    fn depth(&self) -> usize {
        match self {
            Form::Later(pending) if pending.sum.get().is_none() => pending.depth,
            _ => 0,
        }
    }

    /// Whether it never holds, given its opposite.
    pub(super) fn is_never(&self, opposite: &Form) -> bool {
        let told = match (self.known(), opposite.known()) {
            (None, Some(Some(opposite))) => may_fail(opposite),
            _ => false,
        };
        !told && self.sum().as_ref().is_some_and(|sum| sum.is_empty())
    }
}

/// Whether a sum fails for sure where no test holds, or where all do.
fn may_fail(sum: &Sum) -> bool {
    sum.iter().all(|cube| !cube.holds.is_empty()) || sum.iter().all(|cube| !cube.fails.is_empty())
}

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        match (self, other) {
            (Form::Later(one), Form::Later(other)) if Rc::ptr_eq(one, other) => true,
            _ => self.sum() == other.sum(),
        }
    }
}
