//! Names for pieces of which a position tells only what they are like.

/// Pieces as the rules name them: those that are alike, and where each starts.
pub struct Roster<P: 'static> {
    /// The pieces of each class, the one that stands for the others first.
    pub classes: &'static [&'static [P]],
    /// The piece that starts on each place.
    pub home: &'static [P],
    /// No piece.
    pub none: P,
}

impl<P: Copy + PartialEq + Into<u32>> Roster<P> {
    /// Who stands where: on a place the piece that starts there if one that is like it stands there, then the others in the order
    /// of the places.
    ///
    /// `first_on` tells what stands on a place by the first of the pieces that are like it. Places where `is_named` holds, and
    /// pieces that `is_placed` holds of, have their names already.
    pub fn name(
        &self,
        places: usize,
        first_on: impl Fn(usize) -> P,
        is_named: impl Fn(usize) -> bool,
        is_placed: impl Fn(P) -> bool,
    ) -> Vec<(P, usize)> {
        let mut found: Vec<(P, usize)> = Vec::new();
        let mut next = vec![0; self.classes.len()];
        let mut used = vec![false; self.classes.iter().map(|class| class.len()).sum()];
        let unnamed =
            || (0..places).filter(|place| first_on(*place) != self.none && !is_named(*place));
        for place in unnamed() {
            let home = self.home.get(place).copied().unwrap_or(self.none);
            let class = self.class(first_on(place));
            if class.is_some_and(|(_, class)| class.contains(&home)) && !is_placed(home) {
                found.push((home, place));
                mark(&mut used, home);
            }
        }
        let at_home = found.len();
        for place in unnamed() {
            let is_home = found.iter().take(at_home).any(|(_, own)| *own == place);
            let Some((class, members)) = self.class(first_on(place)).filter(|_| !is_home) else {
                continue;
            };
            let is_free = |piece: &P| !is_used(&used, *piece) && !is_placed(*piece);
            let rest = members.get(next[class]..).unwrap_or_default();
            let Some(free) = rest.iter().position(is_free) else {
                continue;
            };
            next[class] += free + 1;
            found.push((rest[free], place));
        }
        found
    }

    /// The class that a piece is the first of, and its number.
    fn class(&self, first: P) -> Option<(usize, &'static [P])> {
        let mut classes = self.classes.iter().copied().enumerate();
        classes.find(|(_, class)| class.first() == Some(&first))
    }
}

fn is_used<P: Into<u32>>(used: &[bool], piece: P) -> bool {
    used.get(piece.into() as usize).copied().unwrap_or(false)
}

fn mark<P: Into<u32>>(used: &mut [bool], piece: P) {
    if let Some(used) = used.get_mut(piece.into() as usize) {
        *used = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_at_home_or_follow_in_order() {
        let roster = Roster::<u8> {
            classes: &[&[0, 1, 2], &[3]],
            home: &[0, 1, 2, 255, 3],
            none: 255,
        };
        let standing = [255, 0, 255, 0, 0, 3];
        let mut named = roster.name(6, |place| standing[place], |_| false, |_| false);
        named.sort_unstable();
        assert_eq!(named, [(0, 3), (1, 1), (2, 4), (3, 5)]);
    }
}
