//! Positions, outcomes and faults.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::identity;
use super::moves::Legal;
use super::program::Program;
use super::value::{Members, Value};
use crate::ir::{FaultCode, Game, PlacementForm, PointId};
use crate::source::Span;

/// A position: everything that the future depends on, at a stop of the rules.
///
/// It knows the program that it belongs to. Equality and hash are those of the identity that the
/// game names for this, [`Game::equality`]; states of different programs are compared by it as well.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) program: Arc<Program>,
    /// Shared by copies until one of them plays on.
    pub(super) core: Arc<Core>,
    pub(super) control: Arc<Control>,
    pub(super) stop: Arc<Stop>,
    pub(super) outcome: Option<Arc<Outcome>>,
    /// The statement that ended the game, if one did; no part of the position.
    pub(super) ended_by: Option<Span>,
    /// The legal moves, once somebody asked.
    pub(super) legal: OnceLock<Arc<Legal>>,
}

impl State {
    /// A position at a stop.
    pub(super) fn at(
        program: &Arc<Program>,
        core: Arc<Core>,
        control: Control,
        stop: Stop,
    ) -> State {
        State {
            program: Arc::clone(program),
            core,
            control: Arc::new(control),
            stop: Arc::new(stop),
            outcome: None,
            ended_by: None,
            legal: OnceLock::new(),
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        identity::key(self) == identity::key(other)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        identity::key(self).hash(hasher);
    }
}

/// The values of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Core {
    /// All variables, those of one variable next to each other.
    pub(super) vars: Vec<Value>,
    pub(super) placed: Vec<Placed>,
    pub(super) snapshots: Vec<Option<Arc<Saved>>>,
    pub(super) trails: Vec<Trail>,
}

/// The positions of a trail, the first noted one first.
pub(super) type Trail = Arc<Vec<Arc<[u8]>>>;

/// What a snapshot slot keeps, in the order that the slot lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Saved {
    pub(super) vars: Vec<Vec<Value>>,
    pub(super) placed: Vec<Placed>,
}

/// Nowhere or nothing.
const ABSENT: u32 = u32::MAX;

/// The values of a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// The place of each piece; nothing for anonymous placements.
    place_of: Vec<u32>,
    /// The piece or kind on each place; nothing for places with room for many.
    content: Vec<u32>,
}

impl Core {
    /// The values at the start of a game.
    pub(super) fn initial(game: &Game) -> Core {
        let values = game.vars.iter().flat_map(|var| {
            let value = |init| Value::of_const(init, &var.ty);
            var.init.iter().filter_map(value)
        });
        Core {
            vars: values.collect(),
            placed: (0..game.placements.len())
                .map(|index| Placed::initial(game, index))
                .collect(),
            snapshots: vec![None; game.snapshots.len()],
            trails: vec![Arc::default(); game.trails.len()],
        }
    }
}

impl Placed {
    pub(super) fn initial(game: &Game, index: usize) -> Placed {
        let placement = &game.placements[index];
        let places = game.domain(placement.places).len();
        let pieces = game.domain(placement.pieces).len();
        let init: Vec<u32> = placement.init.iter().map(|i| i.unwrap_or(ABSENT)).collect();
        match placement.form {
            PlacementForm::Anonymous => Placed {
                place_of: Vec::new(),
                content: init,
            },
            PlacementForm::Many => Placed {
                place_of: init,
                content: Vec::new(),
            },
            PlacementForm::One => {
                let mut placed = Placed {
                    place_of: vec![ABSENT; pieces],
                    content: vec![ABSENT; places],
                };
                for (piece, &place) in init.iter().enumerate() {
                    if place != ABSENT {
                        placed.put(piece as u32, place);
                    }
                }
                placed
            }
        }
    }

    pub(super) fn place_of(&self, piece: u32) -> Option<u32> {
        present(self.place_of.get(piece as usize))
    }

    pub(super) fn content(&self, place: u32) -> Option<u32> {
        present(self.content.get(place as usize))
    }

    pub(super) fn contents(&self, place: u32) -> Members {
        let pieces = self.place_of.iter().enumerate();
        pieces
            .filter(|&(_, &at)| at == place)
            .map(|(piece, _)| piece as u32)
            .collect()
    }

    /// The places on which a kind stands, of an anonymous placement.
    pub(super) fn places(&self, kind: u32) -> Members {
        let places = self.content.iter().enumerate();
        places
            .filter(|&(_, &content)| content == kind)
            .map(|(place, _)| place as u32)
            .collect()
    }

    /// Moves a piece to a place, which must be free where there is room for one.
    pub(super) fn put(&mut self, piece: u32, place: u32) {
        self.take(piece);
        self.place_of[piece as usize] = place;
        if let Some(content) = self.content.get_mut(place as usize) {
            *content = piece;
        }
    }

    pub(super) fn take(&mut self, piece: u32) {
        let place = std::mem::replace(&mut self.place_of[piece as usize], ABSENT);
        if let Some(content) = self.content.get_mut(place as usize) {
            *content = ABSENT;
        }
    }

    pub(super) fn set_content(&mut self, place: u32, kind: Option<u32>) {
        self.content[place as usize] = kind.unwrap_or(ABSENT);
    }

    /// The place of each piece, or the kind on each place where pieces have no identity.
    pub(super) fn members(&self) -> Vec<Option<u32>> {
        let list = self.listed().iter();
        list.map(|member| present(Some(member))).collect()
    }

    fn listed(&self) -> &[u32] {
        match self.place_of.is_empty() {
            true => &self.content,
            false => &self.place_of,
        }
    }

    /// The placement of a game with these members, see [`Placed::members`].
    pub(super) fn of(game: &Game, index: usize, members: &[Option<u32>]) -> Placed {
        let mut placed = Placed::initial(game, index);
        let is_anonymous = game.placements[index].form == PlacementForm::Anonymous;
        for (member, at) in members.iter().enumerate() {
            match is_anonymous {
                true => placed.set_content(member as u32, *at),
                false => placed.take(member as u32),
            }
        }
        for (piece, place) in members.iter().enumerate().filter(|_| !is_anonymous) {
            if let Some(place) = place {
                placed.put(piece as u32, *place);
            }
        }
        placed
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        for item in self.listed() {
            out.extend(item.to_be_bytes());
        }
    }
}

fn present(slot: Option<&u32>) -> Option<u32> {
    slot.copied().filter(|&value| value != ABSENT)
}

/// Where play goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// The frames of the process, outermost first.
    Frames(Vec<SavedFrame>),
    /// A point of the machine.
    Point(PointId),
    /// Nowhere: the game is over.
    Nowhere,
}

/// A suspended call: where it goes on and the local variables that it still needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedFrame {
    pub(super) routine: usize,
    pub(super) pc: usize,
    /// Local variables by number, ascending; only those that may still be read.
    pub(super) locals: Vec<(usize, Value)>,
}

/// What play waits for; follows from the rest of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A decision.
    Choose {
        code: usize,
        players: Members,
        /// The values that each arm gives its family.
        given: Vec<Vec<Value>>,
    },
    /// A draw: its results in order with their weights, none of them 0.
    Chance {
        code: usize,
        results: Vec<(Value, u64)>,
    },
    /// Nothing: the expressions of the decision or draw ran into a fault.
    Broken(Fault),
    /// Nothing: the game is over.
    Over,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why.
    pub reason: Reason,
    /// The players who won, ascending, counted from 0.
    pub winners: Vec<u32>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Somebody won.
    Win,
    /// The rules call it a draw.
    Draw,
    /// Nobody can move.
    Stuck,
    /// Somebody was eliminated.
    Elimination,
    /// A limit of the rules was reached.
    Limit,
    /// A rule ran into an error.
    Fault(Fault),
}

impl Reason {
    /// The word that texts use.
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Win => "win",
            Reason::Draw => "draw",
            Reason::Stuck => "stuck",
            Reason::Elimination => "elimination",
            Reason::Limit => "limit",
            Reason::Fault(_) => "fault",
        }
    }
}

/// An error of the rules at run time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// What went wrong.
    pub code: FaultCode,
    /// Place in the rules; [`Game::origin`] tells its line.
    pub span: Span,
}

impl Outcome {
    pub(super) fn fault(fault: Fault) -> Outcome {
        Outcome {
            reason: Reason::Fault(fault),
            winners: Vec::new(),
        }
    }

    pub(super) fn draw() -> Outcome {
        Outcome {
            reason: Reason::Draw,
            winners: Vec::new(),
        }
    }

    pub(super) fn stuck() -> Outcome {
        Outcome {
            reason: Reason::Stuck,
            winners: Vec::new(),
        }
    }
}

/// Who acts next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One of these players, ascending, counted from 0.
    Decide(Vec<u32>),
    /// A draw is due.
    Chance,
    /// Nobody: the rules ended the game. A position in which nobody can move is no such end;
    /// ask for the outcome.
    Over,
}

/// Something that happened while a move was played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A piece of an identified placement moved: from a place or from off the board.
    Put {
        /// The placement, by number.
        placement: u32,
        /// The piece.
        piece: u32,
        /// Where it was.
        from: Option<u32>,
        /// Where it is now.
        to: u32,
    },
    /// A piece of an identified placement left the board.
    Take {
        /// The placement, by number.
        placement: u32,
        /// The piece.
        piece: u32,
        /// Where it was.
        from: u32,
    },
    /// What stands on a place of an anonymous placement changed.
    SetContent {
        /// The placement, by number.
        placement: u32,
        /// The place.
        place: u32,
        /// The kind that stood there.
        before: Option<u32>,
        /// The kind that stands there now.
        after: Option<u32>,
    },
    /// A score, or a scalar that is indexed by pieces alone, got another value.
    Change {
        /// The variable, by number.
        var: u32,
        /// The member.
        member: u32,
        /// Its value before.
        before: Value,
        /// Its value now.
        after: Value,
    },
    /// One more of something was counted.
    Count {
        /// The counter, by number.
        counter: u32,
        /// The member of its domain; 0 if it has none.
        member: u32,
    },
    /// A line of a log.
    Log(String),
    /// A named event with values, in their canonical texts.
    Signal(String, Vec<(Value, String)>),
}
