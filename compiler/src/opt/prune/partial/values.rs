//! Values: what is known of the position, from the start and by what a path has shown of it, and how variables store and give them.

use super::super::Standing;
use super::*;

impl<'a> Partial<'a> {
    /// The same in positions in which a piece stands on a place.
    pub(in super::super) fn standing(mut self, at: Standing) -> Self {
        let facts = [
            (Place::Content(at.placement, at.place), at.piece),
            (Place::Piece(at.placement, at.piece), at.place),
        ];
        let facts = facts.map(|(of, member)| (of, Known::Value(Const::Elem(member))));
        self.given.extend(facts);
        self
    }

    /// The same in positions in which nothing stands on the other places.
    pub(in super::super) fn alone(mut self, placement: PlacementId, places: u32) -> Self {
        for place in 0..places {
            let nothing = Known::Value(Const::None);
            let content = Place::Content(placement, place);
            self.given.entry(content).or_insert(nothing);
        }
        self
    }

    /// What a function gives for these arguments, if that follows from them and cannot fault.
    pub(in super::super) fn given_by(&mut self, func: FuncId, args: Vec<Known>) -> Option<Const> {
        let mut store = Store {
            locals: Vec::new(),
            env: vec![Slot::Unset; self.game.env.len()],
            facts: self.given.clone(),
        };
        match self.call(func, args, &mut store).ok()?? {
            Known::Value(value) => Some(value),
            _ => None,
        }
    }

    /// A value of the state.
    pub(super) fn read(&mut self, expr: &'a Expr, store: &mut Store) -> Res<Known> {
        let place = match &expr.kind {
            ExprKind::Var(var, index) => self.cell(*var, index, store)?,
            ExprKind::PlaceOf(placement, a) => match self.expr(a, store)? {
                Known::Value(Const::Elem(piece)) => Some(Place::Piece(*placement, piece)),
                _ => None,
            },
            ExprKind::Content(placement, a) => match self.expr(a, store)? {
                Known::Value(Const::Elem(place)) => Some(Place::Content(*placement, place)),
                _ => None,
            },
            _ => return Err(Gave),
        };
        match place {
            Some(place) => Ok(recall(&Known::Read(place), store)),
            None if may_fault(self.game, expr) => Err(Gave),
            None => Ok(Known::Nothing),
        }
    }

    /// The cell of a variable, if its index is known.
    fn cell(&mut self, var: VarId, index: &'a [Expr], store: &mut Store) -> Res<Option<Place>> {
        let mut known: Vec<Const> = Vec::new();
        for expr in index {
            if let Known::Value(value) = self.expr(expr, store)? {
                known.push(value);
            }
        }
        if known.len() < index.len() {
            return Ok(None);
        }
        let known: Vec<&Const> = known.iter().collect();
        let cell = value::cell(self.game, &self.game.var(var).axes, &known);
        Ok(Some(Place::Var(var, cell.ok_or(Gave)?)))
    }

    /// A value as a variable of a type stores it.
    pub(super) fn stored(&mut self, value: &'a Expr, ty: &Type, store: &mut Store) -> Res<Known> {
        let known = self.expr(value, store)?;
        match &known {
            _ if ty.contains(&value.ty) => Ok(known),
            Known::Value(Const::Int(i))
                if ty.int_range().is_some_and(|(lo, hi)| lo <= *i && *i <= hi) =>
            {
                Ok(known)
            }
            Known::Value(Const::Seq(items)) if holds_as_many(ty, &value.ty, items.len()) => {
                Ok(known)
            }
            _ => Err(Gave),
        }
    }
}

/// A value with what the path has shown of it.
pub(super) fn recall(known: &Known, store: &Store) -> Known {
    match known {
        Known::Read(place) => store.facts.get(place).unwrap_or(known).clone(),
        _ => known.clone(),
    }
}

pub(super) fn read_env(var: EnvId, checked: bool, store: &Store) -> Res<Known> {
    match &store.env[var.index()] {
        Slot::Set(value) => Ok(recall(value, store)),
        Slot::Unclear if !checked => Ok(Known::Nothing),
        _ => Err(Gave),
    }
}

/// Whether a variable holds so many items of a sequence of another type: it may have room for fewer.
fn holds_as_many(ty: &Type, given: &Type, items: usize) -> bool {
    match (ty, given) {
        (Type::Seq { item, cap }, Type::Seq { item: own, .. }) => {
            items <= *cap as usize && item.contains(own)
        }
        _ => false,
    }
}
