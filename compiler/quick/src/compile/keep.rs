//! Sets of places that are kept up to date: those whose content passes a test.
//!
//! A test may look at the content of the place, at tables, and at variables of the piece that stands there. So it changes only
//! where a piece is put or taken or such a variable gets another value, and the set with it.

use super::constants::{constant, is_constant_kind};
use super::{Made, Maker, set_words, unsupported};
use crate::code::*;
use crate::ir::{
    BinaryOp, Const, DomainId, Expr, ExprKind, FaultCode, LocalId, Over, PlacementForm,
    PlacementId, TableId, UnaryOp,
};
use crate::source::Span;

/// The place of a test, which is no local variable of a function.
pub(super) const PLACE: LocalId = LocalId(u32::MAX);

/// Sets that are kept for the values of one expression, at most.
pub(super) const MOST_VALUES: usize = 8;

/// What makes a place a member of a set that is kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// Whether nothing, or each of the contents.
    Contents(Vec<bool>),
    /// A condition that looks at variables too; the place in it is [`PLACE`].
    Holds(Expr),
}

/// The test for one content of so many.
fn only(contents: usize, content: usize) -> Test {
    Test::Contents((0..=contents).map(|at| at == content + 1).collect())
}

impl Maker<'_> {
    /// Where the set of places lies whose content passes a test, if that is one to keep.
    pub(super) fn kept(&mut self, local: LocalId, domain: DomainId, test: &Expr) -> Option<At> {
        let placement = self.placement_of(local, test)?;
        if self.game.placement(placement).places != domain || !is_safe(self, placement, test, false)
        {
            return None;
        }
        let mut key = test.clone();
        crate::ir::walk::rewrite(&mut key, &mut |expr| {
            expr.span = Span::default();
            if let ExprKind::Local(l) = &mut expr.kind
                && *l == local
            {
                *l = PLACE;
            }
        });
        let test = match self.answers(placement.index(), &key) {
            Some(known) => Test::Contents(known),
            None => Test::Holds(key),
        };
        self.keep(placement, test)
    }

    /// Where a set lies; its place is known once all sets are.
    fn keep(&mut self, placement: PlacementId, test: Test) -> Option<At> {
        self.asks_kept = true;
        let key = (placement.index(), test);
        match self.wanted.sets.iter().position(|known| *known == key) {
            Some(index) if self.is_final => Some(self.code.kept[index].at),
            Some(_) => Some(0),
            None if self.is_final => None,
            None => {
                self.wanted.sets.push(key);
                Some(0)
            }
        }
    }

    /// Where the set of the pieces lies that stand on a place.
    pub(super) fn crowd(&mut self, placement: PlacementId, place: &Expr, span: Span) -> Made<Cell> {
        let code = &self.code.placements[placement.index()];
        if code.place_of.is_none() {
            return unsupported("pieces that are only kinds");
        }
        self.asks_kept = true;
        let (words, len) = (set_words(code.pieces), code.places as u64);
        // Where they lie is known once all that is kept is.
        let base = code.crowds.map_or(0, |crowds| crowds.at);
        self.wanted.crowds.insert(placement.index());
        let axis = Axis {
            index: self.num(place)?,
            lo: 0,
            len,
            stride: words,
        };
        Ok(Cell {
            base,
            index: Box::new([axis]),
            outside: None,
            site: self.site(FaultCode::IndexOutside, span),
            sure: true,
        })
    }

    /// Where the set of the pieces lies that stand on the places for which a table holds.
    pub(super) fn supply(&mut self, placement: PlacementId, table: TableId) -> At {
        let index = placement.index();
        self.wanted.supplies.insert((index, table.index()));
        let mut known = self.wanted.supplies.iter();
        let number = known
            .by_ref()
            .filter(|(of, _)| *of == index)
            .position(|(_, known)| *known == table.index());
        // Where they lie is known once all that is kept is.
        let supplies = &self.code.placements[index].supplies;
        number
            .and_then(|number| supplies.get(number))
            .map_or(0, |supply| supply.at)
    }

    /// The places on which a kind stands.
    pub(super) fn places(&mut self, placement: PlacementId, kind: &Expr) -> Made<Set> {
        let code = &self.code.placements[placement.index()];
        if code.content.is_none() || code.place_of.is_some() {
            return unsupported("the places of a piece");
        }
        let (pieces, words) = (code.pieces, set_words(code.places));
        let sets = (0..pieces).map(|kind| self.keep(placement, only(pieces, kind)));
        let Some(sets) = sets.collect::<Option<Box<[At]>>>() else {
            return unsupported("a set that is not kept");
        };
        Ok(Set {
            words,
            to: 0,
            kind: SetKind::Pick(sets, self.num(kind)?),
        })
    }

    /// A set of places that is told by what stands on them, whatever operations it is put together from.
    pub(super) fn by_contents(&mut self, expr: &Expr) -> Option<At> {
        let (placement, contents) = self.contents(expr)?;
        self.keep(placement, Test::Contents(contents))
    }

    /// The placement and the contents (nothing first) that make a place a member of a set.
    fn contents(&self, expr: &Expr) -> Option<(PlacementId, Vec<bool>)> {
        match &expr.kind {
            ExprKind::Places(placement, kind) => match kind.kind {
                ExprKind::Const(Const::Elem(kind)) => {
                    let code = &self.code.placements[placement.index()];
                    let is_of_kinds = code.content.is_some() && code.place_of.is_none();
                    let Test::Contents(known) = only(code.pieces, kind as usize) else {
                        return None;
                    };
                    is_of_kinds.then_some((*placement, known))
                }
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Complement, a) => {
                let (placement, contents) = self.contents(a)?;
                Some((
                    placement,
                    contents.into_iter().map(|known| !known).collect(),
                ))
            }
            ExprKind::Binary(op, a, b) => {
                let ((placement, a), (other, b)) = (self.contents(a)?, self.contents(b)?);
                let both: fn(bool, bool) -> bool = match op {
                    BinaryOp::Union => |a, b| a | b,
                    BinaryOp::Intersect => |a, b| a & b,
                    BinaryOp::Minus => |a, b| a & !b,
                    _ => return None,
                };
                let both = a.into_iter().zip(b).map(|(a, b)| both(a, b)).collect();
                (placement == other).then_some((placement, both))
            }
            ExprKind::Collect { local, over, when } => {
                let Over::Domain(domain) = over.as_ref() else {
                    return None;
                };
                let placement = self.placement_of(*local, when)?;
                let safe = is_safe(self, placement, when, false);
                let known = self.answers(placement.index(), when)?;
                let fits = safe && self.game.placement(placement).places == *domain;
                fits.then_some((placement, known))
            }
            _ => None,
        }
    }

    /// The placement whose content at the place is all that a test looks at.
    fn placement_of(&self, local: LocalId, test: &Expr) -> Option<PlacementId> {
        let mut placement = None;
        let mut alone = true;
        only_content(local, test, &mut |found| match found {
            Some(p) if placement.is_none_or(|known| known == p) => placement = Some(p),
            _ => alone = false,
        });
        placement.filter(|_| alone)
    }

    /// The values that an expression has for what stands on a place, each with the contents (nothing first) that give it.
    pub(super) fn values_by_content(
        &self,
        local: LocalId,
        domain: DomainId,
        value: &Expr,
    ) -> Option<Vec<(Const, Vec<bool>)>> {
        let placement = self.placement_of(local, value)?;
        if self.game.placement(placement).places != domain
            || !is_safe(self, placement, value, false)
        {
            return None;
        }
        let pieces = self.code.placements[placement.index()].pieces as u32;
        let contents = std::iter::once(Const::None).chain((0..pieces).map(Const::Elem));
        let mut values: Vec<(Const, Vec<bool>)> = Vec::new();
        for (at, content) in contents.enumerate() {
            let given = |expr: &Expr| match expr.kind {
                ExprKind::Content(..) => Some(content.clone()),
                _ => None,
            };
            let found = constant(self.game, value, &given)?;
            let index = values.iter().position(|(value, _)| *value == found);
            let index = index.unwrap_or(values.len());
            if index == values.len() {
                values.push((found, vec![false; pieces as usize + 1]));
            }
            values[index].1[at] = true;
        }
        (values.len() <= MOST_VALUES).then_some(values)
    }

    /// Where the set of places lies that have some of these contents.
    pub(super) fn keep_contents(
        &mut self,
        local: LocalId,
        contents: Vec<bool>,
        value: &Expr,
    ) -> Option<At> {
        let placement = self.placement_of(local, value)?;
        self.keep(placement, Test::Contents(contents))
    }

    /// Room for the sets, once they are known.
    pub(super) fn kept_room(&mut self) {
        for placement in self.wanted.crowds.clone() {
            let code = &self.code.placements[placement];
            let (words, places) = (set_words(code.pieces), code.places);
            let at = self.room(words * places);
            self.code.placements[placement].crowds = Some(Crowds { at, words });
        }
        for (placement, table) in self.wanted.supplies.clone() {
            let at = self.room(set_words(self.code.placements[placement].pieces));
            let values = self.game.tables[table].values.iter();
            let places = values.map(|value| *value == Const::Bool(true)).collect();
            let supplies = &mut self.code.placements[placement].supplies;
            supplies.push(Supply { at, places });
        }
        for (placement, _) in self.wanted.sets.clone() {
            let words = set_words(self.code.placements[placement].places);
            let at = self.room(words);
            let index = self.code.kept.len();
            self.code.placements[placement].kept.push(index);
            self.code.kept.push(Kept {
                placement,
                at,
                content: 0,
                test: Num::Const(0),
                known: None,
            });
        }
    }

    /// The tests of the sets.
    pub(super) fn kept_tests(&mut self) -> Made<()> {
        for index in 0..self.code.kept.len() {
            let test = match self.wanted.sets[index].1.clone() {
                Test::Contents(known) => {
                    self.code.kept[index].known = Some(known);
                    continue;
                }
                Test::Holds(test) => test,
            };
            let content = self.room(1);
            self.content = Some(content);
            self.locals.clear();
            self.code.kept[index].content = content;
            self.code.kept[index].test = self.num(&test)?;
            self.content = None;
            let mut watched = Vec::new();
            test.walk(&mut |expr| {
                if let ExprKind::Var(var, _) = &expr.kind {
                    watched.push(var.index());
                }
            });
            watched.sort_unstable();
            watched.dedup();
            for var in watched {
                self.code.vars[var].watchers.push(index);
            }
        }
        for placement in &mut self.code.placements {
            placement.changes(&self.code.kept);
        }
        Ok(())
    }

    /// What a test gives for nothing and for each content, where it looks at no variable.
    fn answers(&self, placement: usize, test: &Expr) -> Option<Vec<bool>> {
        let pieces = self.code.placements[placement].pieces as u32;
        let contents = std::iter::once(Const::None).chain((0..pieces).map(Const::Elem));
        contents
            .map(|content| {
                let value = |expr: &Expr| match expr.kind {
                    ExprKind::Content(..) => Some(content.clone()),
                    _ => None,
                };
                match constant(self.game, test, &value)? {
                    Const::Bool(answer) => Some(answer),
                    _ => None,
                }
            })
            .collect()
    }
}

impl PlacementCode {
    /// Finds the sets that change when something else stands on a place.
    fn changes(&mut self, kept: &[Kept]) {
        let sets = self.kept.iter().map(|&index| (index, &kept[index]));
        let known: Vec<(At, &Vec<bool>)> = sets
            .clone()
            .filter_map(|(_, kept)| Some((kept.at, kept.known.as_ref()?)))
            .collect();
        self.tested = sets
            .filter(|(_, kept)| kept.known.is_none())
            .map(|(index, _)| index)
            .collect();
        let mut kinds: Vec<Vec<bool>> = Vec::new();
        for content in 0..=self.pieces {
            let passes: Vec<bool> = known.iter().map(|(_, known)| known[content]).collect();
            let kind = kinds.iter().position(|kind| *kind == passes);
            self.kinds.push(kind.unwrap_or(kinds.len()));
            if kind.is_none() {
                kinds.push(passes);
            }
        }
        self.many = kinds.len();
        for before in &kinds {
            for after in &kinds {
                let differ = known.iter().zip(before.iter().zip(after));
                let differ = differ.filter(|(_, (before, after))| before != after);
                self.changes.push(differ.map(|((at, _), _)| *at).collect());
            }
        }
    }
}

/// Tells the placements whose content at the place is asked, and nothing for everything else that is asked.
fn only_content(local: LocalId, expr: &Expr, tell: &mut dyn FnMut(Option<PlacementId>)) {
    match &expr.kind {
        ExprKind::Content(placement, place) if matches!(place.kind, ExprKind::Local(l) if l == local) =>
        {
            tell(Some(*placement));
        }
        ExprKind::Var(_, index) if index.len() == 1 => only_content(local, &index[0], tell),
        kind if is_constant_kind(kind) => {
            expr.children(&mut |operand| only_content(local, operand, tell));
        }
        _ => tell(None),
    }
}

/// Whether a test can never fault; `some` says whether something is known to stand there.
fn is_safe(maker: &Maker<'_>, placement: PlacementId, expr: &Expr, some: bool) -> bool {
    use ExprKind as E;
    let safe = |expr: &Expr| is_safe(maker, placement, expr, some);
    match &expr.kind {
        E::Binary(BinaryOp::And, a, b) => {
            safe(a) && is_safe(maker, placement, b, some || implies_some(a))
        }
        E::Binary(BinaryOp::Or, a, b) => {
            let stands = matches!(&a.kind, E::Unary(UnaryOp::Not, a) if implies_some(a));
            safe(a) && is_safe(maker, placement, b, some || stands)
        }
        E::If(cond, a, b) => {
            safe(cond) && is_safe(maker, placement, a, some || implies_some(cond)) && safe(b)
        }
        E::Get(a) => matches!(a.kind, E::Content(..)) && some,
        // A variable of the piece that stands there.
        E::Var(var, index) => {
            let placement = maker.game.placement(placement);
            placement.form == PlacementForm::One
                && matches!(&index[0].kind, E::Get(_))
                && safe(&index[0])
                && maker.game.var(*var).axes == [crate::ir::Axis::Domain(placement.pieces)]
                && maker.game.var(*var).ty.is_scalar()
        }
        E::Content(..) => true,
        kind if is_constant_kind(kind) => {
            let mut all = !crate::ir::effects::may_fault(maker.game, expr);
            expr.children(&mut |operand| all &= safe(operand));
            all
        }
        _ => false,
    }
}

/// Whether a condition that holds tells that something stands there.
fn implies_some(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::IsSome(a) => matches!(a.kind, ExprKind::Content(..)),
        ExprKind::Binary(BinaryOp::And, a, b) => implies_some(a) || implies_some(b),
        _ => false,
    }
}
