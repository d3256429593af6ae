//! What goes over the members of a collection, and along walks.

use super::*;

impl<'a> Partial<'a> {
    /// What a bound variable ranges over, if it is known.
    pub(super) fn items(&mut self, over: &'a Over, store: &mut Store) -> Res<Option<Vec<Const>>> {
        Ok(match over {
            Over::Domain(domain) => {
                let len = self.game.domain(*domain).len() as u32;
                Some((0..len).map(Const::Elem).collect())
            }
            Over::Set(set) => match self.expr(set, store)? {
                Known::Value(Const::Set(members)) => {
                    Some(members.into_iter().map(Const::Elem).collect())
                }
                _ => None,
            },
            Over::Seq(seq) => match self.expr(seq, store)? {
                Known::Value(Const::Seq(items)) => Some(items),
                _ => None,
            },
            Over::Range(from, to) => {
                let (from, to) = (self.expr(from, store)?, self.expr(to, store)?);
                match (from, to) {
                    (Known::Value(Const::Int(from)), Known::Value(Const::Int(to)))
                        if to.saturating_sub(from) < i64::from(self.steps) =>
                    {
                        Some((from..=to).map(Const::Int).collect())
                    }
                    _ => None,
                }
            }
        })
    }

    /// The values of a body for each item; if the items are unknown, that of any.
    pub(super) fn each(
        &mut self,
        local: LocalId,
        over: &'a Over,
        body: &'a Expr,
        store: &mut Store,
    ) -> Res<Option<Vec<(Const, Known)>>> {
        let Some(items) = self.items(over, store)? else {
            store.locals[local.index()] = Known::Nothing;
            self.expr(body, store)?;
            return Ok(None);
        };
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            store.locals[local.index()] = Known::Value(item.clone());
            values.push((item, self.expr(body, store)?));
        }
        Ok(Some(values))
    }

    pub(super) fn fold(
        &mut self,
        fold: Fold,
        local: LocalId,
        over: &'a Over,
        body: &'a Expr,
        store: &mut Store,
    ) -> Res<Known> {
        let values = self.each(local, over, body, store)?;
        if matches!(fold, Fold::Sum | Fold::Min | Fold::Max) {
            return Err(Gave);
        }
        let Some(values) = values else {
            return Ok(Known::Nothing);
        };
        let is = |wanted: bool| {
            values
                .iter()
                .filter(|(_, known)| *known == truth(wanted))
                .count()
        };
        let (yes, no) = (is(true), is(false));
        let open = values.len() - yes - no;
        Ok(match fold {
            Fold::Forall if no > 0 => truth(false),
            Fold::Exists if yes > 0 => truth(true),
            _ if open > 0 => Known::Nothing,
            Fold::Forall => truth(true),
            Fold::Exists => truth(false),
            _ => Known::Value(Const::Int(yes as i64)),
        })
    }

    pub(super) fn collect(
        &mut self,
        local: LocalId,
        over: &'a Over,
        when: &'a Expr,
        store: &mut Store,
    ) -> Res<Known> {
        let Some(values) = self.each(local, over, when, store)? else {
            return Ok(Known::Nothing);
        };
        let mut members = Vec::new();
        for (item, holds) in values {
            match (item, holds) {
                (Const::Elem(member), Known::Value(Const::Bool(true))) => members.push(member),
                (_, Known::Value(Const::Bool(false))) => {}
                _ => return Ok(Known::Nothing),
            }
        }
        members.sort_unstable();
        members.dedup();
        Ok(Known::Value(Const::Set(members)))
    }

    pub(super) fn first(
        &mut self,
        local: LocalId,
        over: &'a Over,
        when: &'a Expr,
        store: &mut Store,
    ) -> Res<Known> {
        let Some(values) = self.each(local, over, when, store)? else {
            return Ok(Known::Nothing);
        };
        for (item, holds) in values {
            match holds {
                Known::Value(Const::Bool(true)) => return Ok(Known::Value(item)),
                Known::Value(Const::Bool(false)) => {}
                _ => return Ok(Known::Nothing),
            }
        }
        Ok(Known::Value(Const::None))
    }

    /// A walk; once it is unclear whether it goes on, it is followed for faults only.
    pub(super) fn walk(
        &mut self,
        start: Known,
        step: crate::ir::TableId,
        local: LocalId,
        pass: &'a Expr,
        give: WalkGive,
        store: &mut Store,
    ) -> Res<Known> {
        let table = self.game.table(step);
        let mut next = match start {
            Known::Value(start) => start,
            _ => {
                store.locals[local.index()] = Known::Nothing;
                self.expr(pass, store)?;
                return Ok(Known::Nothing);
            }
        };
        let (mut passed, mut clear) = (Vec::new(), true);
        let mut stop = Const::None;
        while let Const::Elem(place) = next {
            if passed.len() == table.values.len() {
                break;
            }
            store.locals[local.index()] = Known::Value(Const::Elem(place));
            match self.expr(pass, store)? {
                Known::Value(Const::Bool(false)) => {
                    stop = Const::Elem(place);
                    break;
                }
                Known::Value(Const::Bool(true)) => {}
                _ => clear = false,
            }
            passed.push(place);
            next = table
                .values
                .get(place as usize)
                .cloned()
                .unwrap_or(Const::None);
        }
        if !clear {
            return Ok(Known::Nothing);
        }
        Ok(Known::Value(match give {
            WalkGive::Length => Const::Int(passed.len() as i64),
            WalkGive::Last => passed
                .last()
                .map_or(Const::None, |&place| Const::Elem(place)),
            WalkGive::Stop => stop,
            WalkGive::Passed | WalkGive::Reached => {
                if let (WalkGive::Reached, Const::Elem(place)) = (give, stop) {
                    passed.push(place);
                }
                passed.sort_unstable();
                passed.dedup();
                Const::Set(passed)
            }
        }))
    }
}
