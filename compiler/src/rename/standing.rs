//! The pieces that can stand on each place.

use crate::hash::IndexSet;

/// Whether each piece can stand somewhere.
pub(super) type Pieces = Vec<bool>;

/// The pieces that can stand on each place: places on which the same ones can share a set of them.
pub(super) struct Standing {
    /// The set of each place, by number.
    places: Vec<usize>,
    sets: IndexSet<Pieces>,
}

impl Standing {
    /// By the pieces on each place.
    pub(super) fn of(each: Vec<Pieces>) -> Standing {
        let mut sets = IndexSet::default();
        let places = each.into_iter().map(|own| sets.insert_full(own).0);
        Standing {
            places: places.collect(),
            sets,
        }
    }

    /// The pieces that can stand on one of some places; nothing where there is no such place.
    pub(super) fn on_one_of(&self, places: impl IntoIterator<Item = usize>) -> Option<Pieces> {
        let mut on = vec![false; self.sets.len()];
        for place in places {
            on[*self.places.get(place)?] = true;
        }
        let mut can = Pieces::new();
        for (own, _) in self.sets.iter().zip(on).filter(|(_, on)| *on) {
            can.resize(own.len(), false);
            can.iter_mut().zip(own).for_each(|(can, own)| *can |= own);
        }
        Some(can)
    }

    /// Whether one of the pieces for which this holds can stand on each place.
    pub(super) fn holds_one(&self, is_it: impl Fn(usize) -> bool) -> Vec<bool> {
        let one_of = |own: &Pieces| {
            (0..)
                .zip(own)
                .any(|(piece, stands)| *stands && is_it(piece))
        };
        let on: Vec<bool> = self.sets.iter().map(one_of).collect();
        self.places.iter().map(|set| on[*set]).collect()
    }

    /// Whether it stays as it is where places and pieces get other names.
    pub(super) fn is_kept(
        &self,
        place: impl Fn(usize) -> usize,
        piece: impl Fn(usize) -> usize,
    ) -> bool {
        let renamed = |own: &Pieces| {
            let mut new = vec![false; own.len()];
            for (old, _) in own.iter().enumerate().filter(|(_, stands)| **stands) {
                *new.get_mut(piece(old))? = true;
            }
            self.sets.get_index_of(&new)
        };
        let images: Vec<Option<usize>> = self.sets.iter().map(renamed).collect();
        let mut places = self.places.iter().enumerate();
        places.all(|(own, set)| {
            let image = self.places.get(place(own));
            image.is_some() && image == images[*set].as_ref()
        })
    }
}
