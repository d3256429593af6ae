//! The physical actions of a move.

use std::fmt;

use rulec_core::Event;
use rulec_vision::{Scene, Standing};

use crate::Rig;

/// What lies where: places of the scene first, then the slots of the rig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tableau {
    /// What stands on the places, and how it looks.
    pub standing: Standing,
    /// The piece in each slot beside the board.
    pub aside: Vec<Option<u32>>,
}

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Carry a piece from one spot to another; a spot is a place, or behind the places a slot of the rig.
    Carry {
        /// The piece or kind.
        piece: u32,
        /// Where it is.
        from: usize,
        /// Where it goes.
        to: usize,
        /// Whether the arm can do it; else a person must.
        by_arm: bool,
    },
    /// A person must make a piece look otherwise, such as turn it over.
    Change {
        /// The piece or kind.
        piece: u32,
        /// Where it is; nowhere if it is off the board.
        at: Option<usize>,
        /// The new value of its property.
        value: i64,
    },
}

/// Why the actions of a move cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nobody left room for a taken piece.
    #[error(
        "there is no free slot for {0}, which leaves the board: add graveyard slots to the rig"
    )]
    NoGrave(String),
    /// No such piece lies beside the board.
    #[error("there is no {0} in reserve: add one to a slot of the rig")]
    NoReserve(String),
    /// The rules move a piece that is not there.
    #[error("{0} is not on {1}")]
    NotThere(String, String),
}

/// A motion of a piece as the rules tell it; off the board where there is no place.
struct Leg {
    piece: u32,
    from: Option<usize>,
    to: Option<usize>,
}

/// The actions of a move, from the events of the game, in an order in which they can be done: the main move first, then
/// what follows, except that a piece in the way goes first.
///
/// # Errors
/// When there is no room for a taken piece, or no piece for a promotion.
pub fn plan(
    scene: &Scene,
    rig: &Rig,
    now: &Tableau,
    events: &[Event],
) -> Result<Vec<Action>, PlanError> {
    let mut tableau = now.clone();
    let mut legs = legs(events);
    let mut actions = Vec::new();
    let spare = spare_slot(scene, rig, &tableau, &legs);
    while !legs.is_empty() {
        let next = (0..legs.len()).find(|&at| tableau.is_free(legs[at].to) && !waits(&legs, at));
        let Some(at) = next else {
            // A circle: the piece in the way of the first steps aside.
            let Some((spot, slot)) = legs[0].to.zip(spare) else {
                let name = piece_name(scene, legs[0].piece);
                return Err(PlanError::NoGrave(name));
            };
            let piece = tableau.piece(spot).unwrap_or(legs[0].piece);
            actions.push(tableau.carry(rig, piece, spot, slot));
            for leg in legs.iter_mut().filter(|leg| leg.from == Some(spot)) {
                leg.from = Some(slot);
            }
            continue;
        };
        let Leg { piece, from, to } = legs.remove(at);
        let name = || piece_name(scene, piece);
        let from = match from {
            Some(place) if tableau.piece(place) == Some(piece) => place,
            Some(place) => return Err(PlanError::NotThere(name(), spot_name(scene, rig, place))),
            None => tableau
                .find_aside(piece)
                .ok_or_else(|| PlanError::NoReserve(name()))?,
        };
        let to = match to {
            Some(place) => place,
            None => tableau
                .free_slot()
                .ok_or_else(|| PlanError::NoGrave(name()))?,
        };
        actions.push(tableau.carry(rig, piece, from, to));
    }
    for event in events {
        if let Event::StateChanged {
            piece,
            property,
            value,
        } = event
        {
            let changed = scene.look_of(*piece, *value);
            let known = scene.pieces.get(*piece as usize);
            let shows = known.is_some_and(|p| p.property.as_deref() == Some(*property));
            let places = 0..scene.places.len();
            let at = places
                .into_iter()
                .find(|&at| tableau.piece(at) == Some(*piece));
            let before = at.and_then(|at| tableau.standing.look(scene, at));
            tableau.standing.apply(scene, event);
            if shows && changed.is_some() && changed != before {
                actions.push(Action::Change {
                    piece: *piece,
                    at,
                    value: *value,
                });
            }
        }
    }
    Ok(actions)
}

/// A slot that neither the tableau nor the move needs.
fn spare_slot(scene: &Scene, rig: &Rig, tableau: &Tableau, legs: &[Leg]) -> Option<usize> {
    let taken = legs.iter().filter(|leg| leg.to.is_none()).count();
    let free = (0..rig.slots.len()).filter(|slot| tableau.aside[*slot].is_none());
    let mut free = free.map(|slot| slot + scene.places.len());
    free.nth(taken)
}

/// Whether an earlier leg brings the piece that this one takes further.
fn waits(legs: &[Leg], at: usize) -> bool {
    let this = &legs[at];
    let before = &legs[..at];
    before
        .iter()
        .any(|leg| leg.piece == this.piece && leg.to.is_some() && leg.to == this.from)
}

/// The motions that events tell. A piece that leaves one place and comes to another went from one to the other.
fn legs(events: &[Event]) -> Vec<Leg> {
    let mut legs: Vec<Leg> = Vec::new();
    for event in events {
        match *event {
            Event::Moved { piece, from, to } => legs.push(Leg {
                piece,
                from: Some(from as usize),
                to: Some(to as usize),
            }),
            Event::Removed { piece, at } => {
                let at = at as usize;
                let came =
                    |leg: &&mut Leg| leg.piece == piece && leg.from.is_none() && leg.to != Some(at);
                match legs.iter_mut().find(came) {
                    Some(leg) => leg.from = Some(at),
                    None => legs.push(Leg {
                        piece,
                        from: Some(at),
                        to: None,
                    }),
                }
            }
            Event::Placed { piece, at } => {
                let at = at as usize;
                let left =
                    |leg: &&mut Leg| leg.piece == piece && leg.to.is_none() && leg.from != Some(at);
                match legs.iter_mut().find(left) {
                    Some(leg) => leg.to = Some(at),
                    None => legs.push(Leg {
                        piece,
                        from: None,
                        to: Some(at),
                    }),
                }
            }
            _ => {}
        }
    }
    legs
}

impl Tableau {
    /// The start of a game: pieces on places as the scene says, reserves in the slots of the rig.
    pub fn new(scene: &Scene, rig: &Rig) -> Tableau {
        let piece = |name: &String| scene.pieces.iter().position(|piece| piece.name == *name);
        let slot = |kind: Option<&String>| kind.and_then(piece).map(|piece| piece as u32);
        Tableau {
            standing: scene.standing(),
            aside: rig.slots.iter().map(|s| slot(s.holds.as_ref())).collect(),
        }
    }

    /// The piece on a spot.
    pub fn piece(&self, spot: usize) -> Option<u32> {
        let places = self.places();
        match spot < places {
            true => self.standing.piece(spot),
            false => self.aside.get(spot - places).copied().flatten(),
        }
    }

    fn places(&self) -> usize {
        self.standing.len()
    }

    fn is_free(&self, spot: Option<usize>) -> bool {
        spot.is_none_or(|spot| self.piece(spot).is_none())
    }

    fn free_slot(&self) -> Option<usize> {
        let slot = self.aside.iter().position(Option::is_none)?;
        Some(slot + self.places())
    }

    fn find_aside(&self, piece: u32) -> Option<usize> {
        let slot = self.aside.iter().position(|held| *held == Some(piece))?;
        Some(slot + self.places())
    }

    fn put(&mut self, spot: usize, piece: Option<u32>) {
        let places = self.places();
        match spot < places {
            true => self.standing.put(spot, piece),
            false => {
                if let Some(slot) = self.aside.get_mut(spot - places) {
                    *slot = piece;
                }
            }
        }
    }

    fn carry(&mut self, rig: &Rig, piece: u32, from: usize, to: usize) -> Action {
        let action = Action::Carry {
            piece,
            from,
            to,
            by_arm: rig.reaches(from) && rig.reaches(to),
        };
        self.apply(&action);
        action
    }

    /// What lies where after an action.
    pub fn apply(&mut self, action: &Action) {
        match *action {
            Action::Carry {
                piece, from, to, ..
            } => {
                self.put(from, None);
                self.put(to, Some(piece));
            }
            Action::Change { piece, value, .. } => self.standing.set_value(piece, value),
        }
    }
}

/// The name of a piece, for people.
pub(crate) fn piece_name(scene: &Scene, piece: u32) -> String {
    let known = scene.pieces.get(piece as usize);
    known.map_or_else(|| format!("piece {piece}"), |piece| piece.name.clone())
}

/// The name of a spot, for people.
pub(crate) fn spot_name(scene: &Scene, rig: &Rig, spot: usize) -> String {
    match scene.places.get(spot) {
        Some(place) => place.name.clone(),
        None => rig
            .slots
            .get(spot - scene.places.len())
            .map_or_else(|| format!("slot {spot}"), |slot| slot.name.clone()),
    }
}

impl Action {
    /// The action in words.
    pub fn text(&self, scene: &Scene, rig: &Rig) -> String {
        match *self {
            Action::Carry {
                piece,
                from,
                to,
                by_arm,
            } => {
                let who = if by_arm { "carry" } else { "please carry" };
                let (from, to) = (spot_name(scene, rig, from), spot_name(scene, rig, to));
                format!("{who} {} from {from} to {to}", piece_name(scene, piece))
            }
            Action::Change { piece, at, value } => {
                let look = scene.look_of(piece, value);
                let look = look.map_or_else(|| value.to_string(), |look| scene.look_name(look));
                let at = at.map_or_else(String::new, |at| format!(" on {}", scene.places[at].name));
                format!("please turn {}{at} to {look}", piece_name(scene, piece))
            }
        }
    }
}

impl fmt::Display for Tableau {
    /// Piece numbers by spot, for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for spot in 0..self.places() + self.aside.len() {
            match self.piece(spot) {
                Some(piece) => write!(f, "{piece} ")?,
                None => f.write_str("- ")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reach, Slot};
    use rulec_arm::Point;
    use rulec_vision::colour::Rgb;
    use rulec_vision::{Look, Piece, Place};

    const HERE: Point = Point {
        x: 0.0,
        y: 20.0,
        z: 0.0,
    };

    /// Places `a` to `d`; white stands on `a`, black on `b`; the arm reaches all but `d`. A second look of black.
    fn scene() -> (Scene, Rig) {
        let place = |(at, name): (usize, &str)| Place {
            name: name.to_owned(),
            kind: String::new(),
            at: (at as f64 * 60.0, 0.0),
            pitch: 60.0,
            camera: None,
            relevant: true,
        };
        let look = |(kind, state): (&str, i64)| Look {
            kind: kind.to_owned(),
            state,
            blobs: Vec::new(),
            paint: Rgb([0; 3]),
        };
        let piece = |name: &str, looks: &[u8]| Piece {
            name: name.to_owned(),
            property: (looks.len() > 1).then(|| "side".to_owned()),
            looks: looks.to_vec(),
            least: 1,
        };
        let scene = Scene {
            game: "test".to_owned(),
            places: ["a", "b", "c", "d"]
                .into_iter()
                .enumerate()
                .map(place)
                .collect(),
            looks: [("white", 1), ("black", 1), ("black", 2)]
                .into_iter()
                .map(look)
                .collect(),
            pieces: vec![
                piece("white", &[0]),
                piece("black", &[1, 2]),
                piece("queen", &[0]),
            ],
            start: vec![Some(0), Some(1), None, None],
            values: vec![1, 1, 1],
        };
        scene.check().expect("the scene is sound");
        let reach = || Some(Reach::Point(HERE));
        let mut rig = Rig::new(vec![reach(), reach(), reach(), None]);
        let slot = |name: &str, holds: Option<&str>| Slot {
            name: name.to_owned(),
            holds: holds.map(str::to_owned),
            reach: Reach::Point(HERE),
        };
        rig.slots = vec![
            slot("spare queen", Some("queen")),
            slot("box", None),
            slot("box 2", None),
        ];
        (scene, rig)
    }

    fn texts(events: &[Event]) -> Result<Vec<String>, PlanError> {
        let (scene, rig) = scene();
        let now = Tableau::new(&scene, &rig);
        let actions = plan(&scene, &rig, &now, events)?;
        Ok(actions
            .iter()
            .map(|action| action.text(&scene, &rig))
            .collect())
    }

    const MOVED: fn(u32, u32, u32) -> Event = |piece, from, to| Event::Moved { piece, from, to };

    #[test]
    fn the_main_move_comes_first_and_what_follows_after_it() {
        let lines = texts(&[MOVED(0, 0, 2), MOVED(1, 1, 0)]).unwrap();
        assert_eq!(
            lines,
            ["carry white from a to c", "carry black from b to a"]
        );
    }

    #[test]
    fn a_piece_in_the_way_goes_first() {
        let taken = [MOVED(0, 0, 1), Event::Removed { piece: 1, at: 1 }];
        assert_eq!(
            texts(&taken).unwrap(),
            ["carry black from b to box", "carry white from a to b"]
        );
    }

    #[test]
    fn kinds_that_are_copied_and_removed_are_carried() {
        let events = [
            Event::Removed { piece: 0, at: 0 },
            Event::Removed { piece: 1, at: 1 },
            Event::Placed { piece: 0, at: 1 },
        ];
        assert_eq!(
            texts(&events).unwrap(),
            ["carry black from b to box", "carry white from a to b"]
        );
    }

    #[test]
    fn a_promotion_takes_from_the_reserve() {
        let events = [
            Event::Removed { piece: 0, at: 0 },
            Event::Placed { piece: 2, at: 2 },
        ];
        assert_eq!(
            texts(&events).unwrap(),
            [
                "carry white from a to box",
                "carry queen from spare queen to c"
            ]
        );
        let none = [Event::Placed { piece: 0, at: 2 }];
        assert_eq!(texts(&none), Err(PlanError::NoReserve("white".to_owned())));
    }

    #[test]
    fn two_pieces_change_places_over_a_free_slot() {
        let lines = texts(&[MOVED(0, 0, 1), MOVED(1, 1, 0)]).unwrap();
        let expected = [
            "carry black from b to box",
            "carry white from a to b",
            "carry black from box to a",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_piece_that_jumps_twice_goes_both_ways() {
        let lines = texts(&[MOVED(0, 0, 2), MOVED(0, 2, 3)]).unwrap();
        assert_eq!(
            lines,
            ["carry white from a to c", "please carry white from c to d"]
        );
    }

    #[test]
    fn what_an_arm_cannot_do_a_person_does() {
        let turned = Event::StateChanged {
            piece: 1,
            property: "side",
            value: 2,
        };
        assert_eq!(
            texts(&[turned]).unwrap(),
            ["please turn black on b to black (2)"]
        );
        let unseen = Event::StateChanged {
            piece: 1,
            property: "owner",
            value: 2,
        };
        assert_eq!(texts(&[unseen]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn pieces_that_are_not_there_and_graves_that_are_full_are_told() {
        let lost = texts(&[MOVED(0, 2, 3)]);
        assert_eq!(
            lost,
            Err(PlanError::NotThere("white".to_owned(), "c".to_owned()))
        );
        let (scene, mut rig) = scene();
        rig.slots.clear();
        let now = Tableau::new(&scene, &rig);
        let events = [Event::Removed { piece: 1, at: 1 }];
        let full = plan(&scene, &rig, &now, &events);
        assert_eq!(full, Err(PlanError::NoGrave("black".to_owned())));
    }
}
