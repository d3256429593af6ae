//! What an atom accepts, in a form that does not depend on how it is spelled.
//!
//! Conditions on color and shape, cells, quarters of the board and code that asks for the cell all come to the same: kinds of
//! pieces and cells for which the atom accepts, if something holds that is asked once for all of them. Atoms that ask the
//! same are one, so that a row may list its kinds, cells and buckets in one atom or in many.

use super::conditions::of_unit;
use super::sym::{KindOf, PlaceOf, Subject, TooMany, Truth, holds};
use super::{CELLS, Lower, nearest};
use crate::ast::{self, Atom, ExprKind, Value as Asked};
use crate::ir::Expr;
use crate::source::Span;

/// Most classes of kinds and places for which an expression is evaluated one by one.
const MAX_CLASSES: usize = 24;

/// Most conditions that code about cells may come to; with more, as where cells are compared with that of an earlier piece,
/// it is asked for each unit.
const MAX_CONDITIONS: usize = 3;

/// All cells.
pub(super) const ALL: u64 = (1 << CELLS) - 1;

/// For each kind of pieces, the cells.
pub(super) type Spots = Vec<u64>;

/// A position list with orders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Front {
    pub(super) orders: Vec<String>,
    /// Cells that are allowed besides.
    pub(super) cells: u64,
}

/// What has to hold for units to be accepted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum When {
    /// Asked once.
    Once(Truth),
    /// Asked for each unit.
    Each(Truth),
}

/// Units that are accepted where a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) when: When,
    /// Lists all of which must allow the cell.
    pub(super) fronts: Vec<Front>,
    pub(super) spots: Spots,
}

/// What the expressions of an atom need to know of the piece under test.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) keys: Vec<String>,
    pub(super) near: bool,
    pub(super) cell: bool,
    /// The piece as a whole.
    pub(super) piece: bool,
}

/// Values of some properties, whether there is a picture, and the kinds that are so.
type Class<'k> = (Vec<Option<&'k str>>, bool, Vec<u32>);

impl Needs {
    pub(super) fn of(atom: &Atom) -> Needs {
        let mut needs = Needs::default();
        atom.exprs().for_each(|expr| needs.add(expr));
        for condition in &atom.conditions {
            if matches!(condition.value, Asked::Expr(_)) {
                needs.key(&condition.key.text);
            }
        }
        needs
    }

    fn key(&mut self, key: &str) {
        if !self.keys.iter().any(|other| other == key) {
            self.keys.push(key.to_owned());
        }
    }

    fn add(&mut self, expr: &ast::Expr) {
        expr.visit(&mut |expr| {
            let ExprKind::Name(path) = &expr.kind else {
                return;
            };
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            match words[..] {
                ["Nearby" | "Remotest"] => self.near = true,
                ["this"] => self.piece = true,
                ["this" | "p" | "q", "pos", ..] => self.cell = true,
                ["this" | "p" | "q", "bucket", ..] => {}
                ["pc"] => self.key("color"),
                ["ps"] => self.key("shape"),
                ["this" | "p" | "q", key, ..] => self.key(key),
                _ => {}
            }
        });
    }
}

/// The condition, asked as often as it has to be.
fn when(condition: Truth) -> When {
    match condition {
        Truth::When(when) if of_unit(&when) => When::Each(Truth::When(when)),
        condition => When::Once(condition),
    }
}

/// Adds a term to those that ask the same.
pub(super) fn add(terms: &mut Vec<Term>, term: Term) {
    let same = |other: &&mut Term| other.when == term.when && other.fronts == term.fronts;
    match terms.iter_mut().find(same) {
        Some(other) => {
            for (all, more) in other.spots.iter_mut().zip(&term.spots) {
                *all |= more;
            }
        }
        None => terms.push(term),
    }
}

/// Leaves out what is accepted anyway.
pub(super) fn absorb(terms: &mut Vec<Term>) {
    let always = |term: &Term| term.when == When::Once(Truth::Yes) && term.fronts.is_empty();
    let Some(free) = terms.iter().find(|term| always(term)) else {
        return;
    };
    let free = free.spots.clone();
    terms.retain_mut(|term| {
        if always(term) {
            return true;
        }
        for (spots, taken) in term.spots.iter_mut().zip(&free) {
            *spots &= !taken;
        }
        term.spots.iter().any(|cells| *cells != 0)
    });
}

/// Places that an expression cannot tell apart, and what it knows of them.
fn regions(needs: &Needs) -> Vec<(PlaceOf, u64)> {
    let each = (0..CELLS).map(|cell| (PlaceOf::Known(cell), 1 << cell));
    let quarter = |near: u32| {
        let cells = (0..CELLS).filter(|cell| nearest(*cell) == near);
        (
            PlaceOf::Near(near),
            cells.fold(0, |set, cell| set | 1 << cell),
        )
    };
    match (needs.cell, needs.near) {
        (true, _) => each.collect(),
        (false, true) => (0..4).map(quarter).collect(),
        (false, false) => vec![(PlaceOf::Any, ALL)],
    }
}

impl Lower<'_> {
    /// What the literal parts of an atom allow.
    fn literal(&self, atom: &Atom) -> (Vec<Front>, Spots) {
        let mut spots = vec![ALL; self.kinds().len()];
        for condition in &atom.conditions {
            if matches!(condition.value, Asked::Expr(_)) {
                continue;
            }
            let allowed = self.allowed_kinds(&condition.key.text, &condition.value);
            for (kind, cells) in spots.iter_mut().enumerate() {
                if !allowed.contains(&(kind as u32)) {
                    *cells = 0;
                }
            }
        }
        let mut fronts = Vec::new();
        for list in &atom.pos {
            let cells = list.cells.iter().fold(0, |set, cell| set | 1_u64 << cell);
            if list.orders.is_empty() {
                spots.iter_mut().for_each(|spots| *spots &= cells);
                continue;
            }
            let mut orders: Vec<String> = list.orders.iter().map(|o| o.text.clone()).collect();
            orders.sort();
            orders.dedup();
            fronts.push(Front { orders, cells });
        }
        fronts.sort();
        fronts.dedup();
        (fronts, spots)
    }

    /// Makes one of terms for the same units, of which one has to hold.
    pub(super) fn unite(&self, terms: &mut Vec<Term>, span: Span) {
        let mut united: Vec<Term> = Vec::new();
        for term in terms.drain(..) {
            let same = united
                .iter_mut()
                .find(|other| other.fronts == term.fronts && other.spots == term.spots);
            let Some(other) = same else {
                united.push(term);
                continue;
            };
            let (When::Once(one) | When::Each(one), When::Once(more) | When::Each(more)) =
                (&other.when, &term.when);
            let either = self.normal(one.clone().or(more.clone()), span);
            other.when = when(either);
        }
        *terms = united;
    }

    /// What an atom accepts for a bucket.
    pub(super) fn atom_terms(
        &mut self,
        atom: &Atom,
        bucket: u32,
        this: &Expr,
    ) -> Result<Vec<Term>, TooMany> {
        let (fronts, spots) = self.literal(atom);
        if spots.iter().all(|cells| *cells == 0) {
            return Ok(Vec::new());
        }
        let needs = Needs::of(atom);
        let alone = needs.piece || self.crowded() && (needs.cell || needs.near);
        if !alone {
            let found = self.by_class(atom, bucket, &needs, (&fronts, &spots), this.span)?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let subject = Subject {
            kind: KindOf::Of(self.kind_at(this.clone(), this.span)),
            place: PlaceOf::Of(this.clone()),
            bucket,
            memory: true,
        };
        let when = self.accepts(atom, &subject)?;
        let when = match self.normal(when, this.span) {
            Truth::No => return Ok(Vec::new()),
            known => self::when(known),
        };
        let term = Term {
            when,
            fronts,
            spots,
        };
        Ok(vec![term])
    }

    /// The same, asked once for each class of kinds and places that the expressions tell apart; nothing where these are too
    /// many.
    fn by_class(
        &mut self,
        atom: &Atom,
        bucket: u32,
        needs: &Needs,
        (fronts, spots): (&[Front], &Spots),
        span: Span,
    ) -> Result<Option<Vec<Term>>, TooMany> {
        let classes = self.classes(&needs.keys);
        let regions = regions(needs);
        let most = if needs.cell {
            MAX_CONDITIONS
        } else {
            usize::MAX
        };
        let cases = classes.len() * if needs.cell { 1 } else { regions.len() };
        if cases > MAX_CLASSES {
            return Ok(None);
        }
        let mut terms = Vec::new();
        for (place, region) in regions {
            for class in &classes {
                let mut here = vec![0; spots.len()];
                for &kind in class {
                    here[kind as usize] = spots[kind as usize] & region;
                }
                if here.iter().all(|cells| *cells == 0) {
                    continue;
                }
                let subject = Subject {
                    kind: KindOf::Known(class[0] as usize),
                    place: place.clone(),
                    bucket,
                    memory: true,
                };
                let when = self.accepts(atom, &subject)?;
                let when = match self.normal(when, span) {
                    Truth::No => continue,
                    when => When::Once(when),
                };
                let fronts = fronts.to_vec();
                add(
                    &mut terms,
                    Term {
                        when,
                        fronts,
                        spots: here,
                    },
                );
                if terms.len() > most {
                    return Ok(None);
                }
            }
        }
        Ok(Some(terms))
    }
    /// Classes of kinds with equal values of these properties.
    pub(super) fn classes(&self, keys: &[String]) -> Vec<Vec<u32>> {
        let mut classes: Vec<Class<'_>> = Vec::new();
        for (index, kind) in self.kinds().iter().enumerate() {
            let values: Vec<Option<&str>> = keys.iter().map(|key| kind.property(key)).collect();
            let pictured = kind.pictured && !keys.is_empty();
            let same = classes
                .iter_mut()
                .find(|(v, p, _)| *v == values && *p == pictured);
            match same {
                Some((.., members)) => members.push(index as u32),
                None => classes.push((values, pictured, vec![index as u32])),
            }
        }
        classes.into_iter().map(|(.., members)| members).collect()
    }

    /// Whether the expressions of an atom accept a piece.
    pub(super) fn accepts(&mut self, atom: &Atom, subject: &Subject) -> Result<Truth, TooMany> {
        let mut all = Truth::Yes;
        if let Some(expr) = &atom.code {
            let set = self.eval(expr, subject)?;
            all = all.and(holds(&set));
        }
        for condition in &atom.conditions {
            if let Asked::Expr(expr) = &condition.value {
                let set = self.eval(expr, subject)?;
                let key = &condition.key.text;
                all = all.and(self.kind_matches(key, &subject.kind, &set, expr.span));
            }
        }
        if let Some(expr) = &atom.bucket {
            let set = self.eval(expr, subject)?;
            all = all.and(Self::names_bucket(&set, subject.bucket, expr.span));
        }
        Ok(all)
    }
}
