//! Symmetries of a game: renamings of places, and of players with what is theirs, that leave the rules as they are.
//!
//! Which there are is worked out with the rules, so all engines of a game have the same. They are a group; the one that changes
//! nothing is not listed. What a renaming makes of a position tells [`Identities::image`](crate::Identities::image); what it makes of a move,
//! of numbers of moves and of planes follows from the tables here.

use crate::{MoveNumbers, Plane};

/// A renaming that leaves the rules as they are: it takes every position to one with the same moves and ends, renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Whether it takes the start to itself, apart from which of several pieces that are alike is which.
    pub fixes_start: bool,
    /// The new number of each player; nothing where each keeps his own.
    pub players: &'static [u32],
    /// The new number of each of [`GameInfo::pieces`](crate::GameInfo::pieces); nothing where each keeps its own.
    pub pieces: &'static [u32],
    /// The new number of each of [`GameInfo::places`](crate::GameInfo::places); nothing where each keeps its own.
    pub places: &'static [u32],
    /// What becomes of moves, for each family and then for each draw.
    pub moves: &'static [MoveImage],
    /// Each plane of the image; nothing where that is not known.
    pub planes: &'static [PlaneImage],
}

/// What a symmetry makes of the moves of a family, or of the results of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveImage {
    /// The family, draws after the families.
    pub family: usize,
    /// For each argument what becomes of it.
    pub args: &'static [ArgImage],
}

/// What a symmetry makes of an argument of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgImage {
    /// It stays.
    Same,
    /// A member: the new number of each.
    Member(&'static [u32]),
    /// A set of members as bits: the new number of each.
    Bits(&'static [u32]),
}

/// A plane of the image of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneImage {
    /// The plane of the position that it is made from.
    pub plane: usize,
    /// For each cell the cell of the original that it is taken from; nothing where all stay.
    pub from: &'static [u32],
    /// For each member that a cell can name, counted from 1, its new number from 1 (the first is for 0, no member); nothing where
    /// all stay.
    pub values: &'static [u32],
}

impl MoveImage {
    /// The image of the moves of a family, by that of each argument.
    pub const fn new(family: usize, args: &'static [ArgImage]) -> MoveImage {
        MoveImage { family, args }
    }
}

impl PlaneImage {
    /// The image of a plane, by the plane and the cells that its cells come from and the new number of each member.
    pub const fn new(plane: usize, from: &'static [u32], values: &'static [u32]) -> PlaneImage {
        PlaneImage {
            plane,
            from,
            values,
        }
    }
}

impl ArgImage {
    /// The image of an argument.
    pub fn of(self, arg: i64) -> i64 {
        let new = |members: &[u32], member: i64| {
            let at = usize::try_from(member).ok();
            let new = at.and_then(|at| members.get(at));
            new.map_or(member, |new| i64::from(*new))
        };
        match self {
            ArgImage::Same => arg,
            ArgImage::Member(members) => new(members, arg),
            ArgImage::Bits(members) => (0..64)
                .filter(|bit| arg >> bit & 1 == 1)
                .fold(0, |set, bit| set | 1_i64 << (new(members, bit) & 63)),
        }
    }
}

impl ArgImage {
    fn undoes(&self, other: &ArgImage) -> bool {
        match (self, other) {
            (ArgImage::Same, ArgImage::Same) => true,
            (ArgImage::Member(own), ArgImage::Member(other))
            | (ArgImage::Bits(own), ArgImage::Bits(other)) => undoes(own, other),
            _ => false,
        }
    }
}

/// Whether new numbers take back others.
fn undoes(own: &[u32], other: &[u32]) -> bool {
    let back = |new: &u32| own.get(*new as usize).copied();
    own.len() == other.len() && (0..).zip(other).all(|(old, new)| back(new) == Some(old))
}

impl Symmetry {
    /// The new number of a player.
    pub fn player(&self, player: usize) -> usize {
        let new = self.players.get(player);
        new.map_or(player, |new| *new as usize)
    }

    /// Whether every player keeps his number.
    pub fn keeps_players(&self) -> bool {
        self.players.is_empty()
    }

    /// Whether it takes back what another one does to moves and to what they name.
    pub fn undoes(&self, other: &Symmetry) -> bool {
        let named = [
            (self.players, other.players),
            (self.pieces, other.pieces),
            (self.places, other.places),
        ];
        let takes_back = |(own, image): (usize, &MoveImage)| {
            self.moves.get(image.family).is_some_and(|back| {
                let args = back.args.iter().zip(image.args);
                back.family == own
                    && back.args.len() == image.args.len()
                    && args.into_iter().all(|(back, arg)| back.undoes(arg))
            })
        };
        self.moves.len() == other.moves.len()
            && named.iter().all(|(own, other)| undoes(own, other))
            && other.moves.iter().enumerate().all(takes_back)
    }

    /// The image of a move, given as [`MoveArgs::move_args`](crate::MoveArgs::move_args) tells it: the arguments in place, and its family.
    pub fn move_args(&self, family: usize, args: &mut [i64]) -> usize {
        let Some(image) = self.moves.get(family) else {
            return family;
        };
        for (arg, new) in args.iter_mut().zip(image.args) {
            *arg = new.of(*arg);
        }
        image.family
    }

    /// The image of each dense number of a move. A number of which the numbers of the images are not all one keeps itself.
    pub fn numbers(&self, numbers: &MoveNumbers) -> Vec<u32> {
        let image = |number| self.number(numbers, number).unwrap_or(number) as u32;
        (0..numbers.count).map(image).collect()
    }

    /// The image of a dense number of a move; nothing unless the images of all moves of that number have one number.
    pub fn number(&self, numbers: &MoveNumbers, number: usize) -> Option<usize> {
        let mut images = numbers.moves(number).into_iter().map(|(family, mut args)| {
            let family = self.move_args(family, &mut args);
            numbers.number(family, &args)
        });
        let first = images.next().filter(|new| *new < numbers.count)?;
        images.all(|other| other == first).then_some(first)
    }

    /// The image of each dense number of a move, if every number has one and no two have the same.
    pub fn renumbering(&self, numbers: &MoveNumbers) -> Option<Vec<u32>> {
        let mut taken = vec![false; numbers.count];
        let mut images = Vec::with_capacity(numbers.count);
        for number in 0..numbers.count {
            let image = self.number(numbers, number)?;
            if std::mem::replace(&mut taken[image], true) {
                return None;
            }
            images.push(u32::try_from(image).ok()?);
        }
        Some(images)
    }

    /// What the planes of the image of a position are, made from those of the position; nothing where that is not known.
    pub fn planes(&self, planes: &[Plane], values: &[i64]) -> Option<Vec<i64>> {
        if self.planes.len() != planes.len() {
            return None;
        }
        let mut out = Vec::with_capacity(values.len());
        let mut starts = vec![0];
        starts.extend(planes.iter().scan(0, |end, plane| {
            *end += plane.cells;
            Some(*end)
        }));
        for (plane, image) in planes.iter().zip(self.planes) {
            let first = *starts.get(image.plane)?;
            let own = values.get(first..first + plane.cells)?;
            for cell in 0..plane.cells {
                let from = image.from.get(cell).map_or(cell, |from| *from as usize);
                let value = *own.get(from)?;
                let new = usize::try_from(value).ok();
                let new = new.and_then(|value| image.values.get(value));
                out.push(new.map_or(value, |new| i64::from(*new)));
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interval, NumberLayer, NumberedArg, NumberedKind};

    /// Three places in a row, turned round, and two players who change sides.
    const TURNED: Symmetry = Symmetry {
        fixes_start: true,
        players: &[1, 0],
        pieces: &[],
        places: &[2, 1, 0],
        moves: &[
            MoveImage {
                family: 1,
                args: &[ArgImage::Member(&[2, 1, 0]), ArgImage::Same],
            },
            MoveImage {
                family: 0,
                args: &[ArgImage::Member(&[2, 1, 0]), ArgImage::Same],
            },
        ],
        planes: &[
            PlaneImage::new(0, &[2, 1, 0], &[0, 2, 1]),
            PlaneImage::new(2, &[], &[]),
            PlaneImage::new(1, &[], &[]),
        ],
    };

    #[test]
    fn members_sets_and_others() {
        let turned = ArgImage::Member(&[2, 1, 0]);
        assert_eq!([0, 1, 2, -1, 7].map(|arg| turned.of(arg)), [2, 1, 0, -1, 7]);
        let sets = ArgImage::Bits(&[2, 1, 0]);
        assert_eq!(
            [0b001, 0b011, 0b111, 0].map(|arg| sets.of(arg)),
            [4, 6, 7, 0]
        );
        assert_eq!(ArgImage::Same.of(5), 5);
    }

    #[test]
    fn numbers_follow_the_moves() {
        const LAYER: NumberLayer = NumberLayer {
            lens: &[3, 2],
            runs: &[(0, 0)],
            end: 6,
        };
        const SECOND: NumberLayer = NumberLayer {
            lens: &[3, 2],
            runs: &[(0, 6)],
            end: 12,
        };
        const ARGS: &[NumberedArg] = &[NumberedArg::Member(&[]), NumberedArg::Int(0)];
        const NUMBERS: MoveNumbers = MoveNumbers {
            kinds: &[
                NumberedKind {
                    layer: 0,
                    args: ARGS,
                },
                NumberedKind {
                    layer: 1,
                    args: ARGS,
                },
            ],
            layers: &[LAYER, SECOND],
            count: 12,
        };
        let images = TURNED.numbers(&NUMBERS);
        assert_eq!(images, [10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);
        assert_eq!(TURNED.renumbering(&NUMBERS), Some(images));
        // Where the second family shares the numbers of the first, which of both a move was is lost.
        const SHARED: MoveNumbers = MoveNumbers {
            kinds: &[
                NumberedKind {
                    layer: 0,
                    args: ARGS,
                },
                NumberedKind {
                    layer: 0,
                    args: &[NumberedArg::Member(&[0, 0, 2]), NumberedArg::Int(0)],
                },
            ],
            layers: &[LAYER],
            count: 6,
        };
        assert_eq!(TURNED.renumbering(&SHARED), None);
    }

    #[test]
    fn what_turns_back_takes_back() {
        const ROUND: Symmetry = Symmetry {
            places: &[1, 2, 0],
            players: &[],
            moves: &[MoveImage {
                family: 0,
                args: &[ArgImage::Member(&[1, 2, 0])],
            }],
            ..TURNED
        };
        const BACK: Symmetry = Symmetry {
            places: &[2, 0, 1],
            moves: &[MoveImage {
                family: 0,
                args: &[ArgImage::Member(&[2, 0, 1])],
            }],
            ..ROUND
        };
        assert!(TURNED.undoes(&TURNED) && ROUND.undoes(&BACK) && BACK.undoes(&ROUND));
        assert!(!ROUND.undoes(&ROUND) && !TURNED.undoes(&ROUND));
    }

    #[test]
    fn planes_follow_cells_and_values() {
        let plane = |cells| Plane {
            name: "",
            cells,
            values: Interval { min: 0, max: 2 },
        };
        let planes = [plane(3), plane(1), plane(1)];
        assert_eq!(
            TURNED.planes(&planes, &[0, 1, 2, 5, 7]),
            Some(vec![1, 2, 0, 7, 5])
        );
        assert_eq!(TURNED.planes(&planes[..1], &[0, 1, 2]), None);
        assert_eq!(TURNED.planes(&planes, &[0, 1, 2]), None);
    }
}
