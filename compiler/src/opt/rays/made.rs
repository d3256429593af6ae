//! Functions of places that take over from functions of their coordinates: each is made once.

use crate::ir::{Axis, FuncId, Function, Game, TableId, Type};

/// What a function of a place stands for: a function, and for each of its parameters the table that tells it, or nothing.
pub(in crate::opt) type Meaning = (FuncId, Vec<Option<TableId>>);

/// The functions of places that were made.
pub(in crate::opt) struct Made<'g> {
    /// Makes the function of a place for a meaning and the type of places.
    of_place: &'g dyn Fn(&Game, &Meaning, Type) -> Function,
    made: Vec<(Meaning, FuncId)>,
}

impl<'g> Made<'g> {
    pub(in crate::opt) fn by(of_place: &'g dyn Fn(&Game, &Meaning, Type) -> Function) -> Made<'g> {
        Made {
            of_place,
            made: Vec::new(),
        }
    }

    /// The function of a place with this meaning; some of its tables tell of the place.
    pub(super) fn target(&mut self, game: &mut Game, meaning: &Meaning) -> FuncId {
        let found = self.made.iter().find(|(other, _)| other == meaning);
        if let Some((_, target)) = found {
            return *target;
        }
        let mut axes = meaning
            .1
            .iter()
            .flatten()
            .flat_map(|table| &game.table(*table).axes);
        let ty = axes.find_map(|axis| match axis {
            Axis::Domain(domain) => Some(Type::Elem(*domain)),
            Axis::Range { .. } => None,
        });
        let function = (self.of_place)(game, meaning, ty.unwrap_or(Type::Bool));
        game.functions.push(function);
        let target = FuncId::from(game.functions.len() - 1);
        self.made.push((meaning.clone(), target));
        target
    }
}
