//! Closed walks: from which places a walk passes some places and is stopped by another kind, of all places at once.
//!
//! The walks along a table whose entries lie few differences away are shifts of sets. The places before a stop that a walk may
//! pass, those before these, and so on: a few rounds over the whole board instead of a walk from each place.

use rulec_ir::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Body;
use super::code::{Code, Prec, number};
use crate::ir::{
    Axis, BinaryOp, Const, Expr, ExprKind, Game, LocalId, Over, TableId, Type, WalkGive,
};

/// Differences between a place and the next one on the way.
const MOST_STEPS: usize = 8;

/// The most places of a straight way that is joined from halves.
const MOST_STRAIGHT: usize = 1000;

/// The places from which walks along a table pass at least one place of a set and are stopped by one of another.
struct Closed<'e> {
    step: TableId,
    pass: &'e Expr,
    stop: &'e Expr,
}

fn closed<'e>(local: LocalId, over: &Over, when: &'e Expr, game: &Game) -> Option<Closed<'e>> {
    let Over::Domain(domain) = over else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::And, some, stopped) = &when.kind else {
        return None;
    };
    let (step, pass) = walk(not_empty(some)?, local, WalkGive::Passed)?;
    let ExprKind::Binary(BinaryOp::Intersect, reached, stop) = &not_empty(stopped)?.kind else {
        return None;
    };
    let same = walk(reached, local, WalkGive::Reached)? == (step, pass);
    let table = game.table(step);
    let plain = table.axes == [Axis::Domain(*domain)] && table.ty == Type::Opt(*domain);
    (same && plain && !mentions(stop, local)).then_some(Closed { step, pass, stop })
}

/// The set of which is asked whether it has a member.
fn not_empty(test: &Expr) -> Option<&Expr> {
    match &test.kind {
        ExprKind::Binary(BinaryOp::Ne, set, none) => {
            (none.as_const() == Some(&Const::Set(Vec::new()))).then_some(set)
        }
        _ => None,
    }
}

/// The table of a walk from the place after a member, and the set of places that it passes.
fn walk(expr: &Expr, local: LocalId, wanted: WalkGive) -> Option<(TableId, &Expr)> {
    let ExprKind::Walk {
        start,
        step,
        local: at,
        pass,
        give,
    } = &expr.kind
    else {
        return None;
    };
    let ExprKind::Lookup(table, index) = &start.kind else {
        return None;
    };
    let after = matches!(&index[..], [index] if index.kind == ExprKind::Local(local));
    let ExprKind::Binary(BinaryOp::In, here, set) = &pass.kind else {
        return None;
    };
    let fits = *give == wanted && table == step && after && here.kind == ExprKind::Local(*at);
    (fits && !mentions(set, *at) && !mentions(set, local)).then_some((*step, &**set))
}

fn mentions(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= expr.kind == ExprKind::Local(local));
    found
}

/// The differences of a table with the places that have them, and the most steps that one can take in a row.
fn differences(game: &Game, step: TableId) -> Option<(SortedMap<i64, Vec<u32>>, usize)> {
    let values = &game.table(step).values;
    let mut all: SortedMap<i64, Vec<u32>> = SortedMap::new();
    for (from, to) in (0u32..).zip(values) {
        match to {
            Const::Elem(to) => {
                let by = i64::from(*to) - i64::from(from);
                all.entry(by).or_default().push(from);
            }
            Const::None => {}
            _ => return None,
        }
    }
    let mut most = 0;
    for start in 0..values.len() {
        let mut at = start;
        let mut count = 0;
        while let Some(Const::Elem(next)) = values.get(at) {
            at = *next as usize;
            count += 1;
            if count > values.len() {
                return None;
            }
        }
        most = most.max(count);
    }
    (all.len() <= MOST_STEPS).then_some((all, most))
}

/// A set of `before` words as one of `after` words.
pub(super) fn narrow(set: &Code, after: usize, before: usize) -> TokenStream {
    if after == before {
        return set.tokens.clone();
    }
    let (set, after) = (set.receiver(), number(after));
    quote!(#set.first_words::<#after>())
}

impl Body<'_> {
    /// Closed walks from all places, by shifts.
    pub(super) fn closed(&self, local: LocalId, over: &Over, when: &Expr) -> Option<Code> {
        let (generator, game) = (self.generator, self.generator.game);
        let rt = &generator.rt;
        let Over::Domain(domain) = over else {
            return None;
        };
        let closed = closed(local, over, when, game)?;
        let (steps, most) = differences(game, closed.step)?;
        let (pass, stop) = (self.expr(closed.pass), self.expr(closed.stop));
        let mut from: Vec<u32> = steps.values().flatten().copied().collect();
        from.sort_unstable();
        let values = game.table(closed.step).values.iter();
        let ends = values.filter_map(|value| match value {
            Const::Elem(place) => Some(*place),
            _ => None,
        });
        let last = ends.chain(from.iter().copied()).max().unwrap_or(0);
        let (all, own) = (self.generator.words(*domain), last as usize / 64 + 1);
        let from = self.generator.set_of_words(&from, own);
        // The last place of a way only stops.
        let rounds = number(most.saturating_sub(2));
        let (passed, stopped) = (narrow(&pass, own, all), narrow(&stop, own, all));
        let code = match straight(&steps).filter(|_| most <= MOST_STRAIGHT) {
            Some(before) => {
                quote!(#rt::support::closed_straight::<_, #rounds>(#passed, #stopped, #from, |set, steps| #before))
            }
            None => {
                let before = self.before(&steps, own);
                quote!(#rt::support::closed::<_, #rounds>(#passed, #stopped, #from, |set| #before))
            }
        };
        let code = Code::new(code, Prec::Lowest);
        Some(Code::atom(narrow(&code, all, own)).like(&[&pass, &stop]))
    }

    /// The places whose next one is in `set`.
    fn before(&self, steps: &SortedMap<i64, Vec<u32>>, words: usize) -> TokenStream {
        let parts = steps.iter().map(|(by, from)| {
            let size = Literal::u32_unsuffixed(by.unsigned_abs() as u32);
            let mask = self.generator.set_of_words(from, words);
            match by {
                0 => quote!((set & #mask)),
                1.. => quote!(((set >> #size) & #mask)),
                _ => quote!(((set << #size) & #mask)),
            }
        });
        let none = self.generator.set_of_words(&[], words);
        let parts = parts.chain(steps.is_empty().then_some(none));
        quote!(#(#parts)|*)
    }
}

/// The places from which so many steps lead to `set`, if all lead as far, and others, which have no next one.
fn straight(steps: &SortedMap<i64, Vec<u32>>) -> Option<TokenStream> {
    let mut each = steps.keys();
    let (Some(by), None) = (each.next(), each.next()) else {
        return None;
    };
    let size = Literal::u32_unsuffixed(u32::try_from(by.unsigned_abs()).ok()?);
    match by {
        0 => None,
        1.. => Some(quote!(set >> (#size * steps))),
        _ => Some(quote!(set << (#size * steps))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Table;
    use crate::ir::builder::GameBuilder;
    use crate::source::Span;

    /// The differences and the longest way of steps between places.
    fn found(steps: &[Option<u32>]) -> Option<(SortedMap<i64, Vec<u32>>, usize)> {
        let span = Span::default();
        let mut builder = GameBuilder::new("steps", "none", &["a"]);
        let names = (0..steps.len()).map(|at| format!("p{at}")).collect();
        let places = builder.names("Place", names, span);
        let value = |step: &Option<u32>| step.map_or(Const::None, Const::Elem);
        let table = builder.table(Table {
            name: "next".to_owned(),
            axes: vec![Axis::Domain(places)],
            ty: Type::Opt(places),
            values: steps.iter().map(value).collect(),
            outside: None,
            span,
        });
        differences(&builder.game, table)
    }

    #[test]
    fn the_longest_way_is_as_long_as_its_steps() {
        let row = [Some(1), Some(2), Some(3), None, Some(3)];
        let (by, most) = found(&row).expect("a row");
        assert_eq!(most, 3);
        assert_eq!(by, SortedMap::from([(1, vec![0, 1, 2]), (-1, vec![4])]));
    }

    #[test]
    fn a_way_that_comes_back_to_itself_has_no_end() {
        assert!(found(&[Some(1), Some(2), Some(0)]).is_none());
        assert!(found(&[Some(1), Some(1)]).is_none());
    }
}
