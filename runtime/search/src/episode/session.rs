//! Episodes one after the other, as a host runs them for a player: boards, attempts, codes.

use rulec_core::episode::{Board, EpisodeInfo};
use rulec_core::{Reason, Turn};

use super::boards::{Boards, bits};
use crate::{AnyState, State};

/// What is told of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The piece was removed.
    Accept,
    /// No piece is there.
    EmptyCell,
    /// The piece can go, but not to this target.
    Deny,
    /// The piece can go nowhere now.
    Immovable,
    /// The episode has ended.
    NoGame,
    /// No piece has that number.
    NoPiece,
    /// Several pieces are there.
    SeveralPieces,
    /// Another player is on turn.
    OutOfTurn,
}

impl Code {
    /// Its number.
    pub const fn number(self) -> i32 {
        match self {
            Code::Accept => 0,
            Code::EmptyCell => 3,
            Code::Deny => 4,
            Code::Immovable => 7,
            Code::NoGame => -4,
            Code::OutOfTurn => -9,
            Code::NoPiece => -10,
            Code::SeveralPieces => -11,
        }
    }

    /// What it means.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Accept => "accepted",
            Code::EmptyCell => "no piece is there",
            Code::Deny => "denied",
            Code::Immovable => "immovable",
            Code::NoGame => "the episode has ended",
            Code::NoPiece => "no piece has that id",
            Code::SeveralPieces => "several pieces are there",
            Code::OutOfTurn => "the other player is on turn",
        }
    }

    /// Whether the attempt counts.
    pub const fn counts(self) -> bool {
        matches!(self, Code::Accept | Code::Deny | Code::Immovable)
    }
}

/// How far an episode is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It goes on.
    Playing,
    /// The board is empty.
    Cleared,
    /// Nothing is accepted any more.
    Stalemate,
}

impl Finish {
    /// Its number.
    pub const fn number(self) -> i32 {
        match self {
            Finish::Playing => 0,
            Finish::Cleared => 1,
            Finish::Stalemate => 2,
        }
    }
}

/// A piece of the present board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its number for players.
    pub id: i32,
    /// Its unit.
    pub unit: u8,
    /// Its kind.
    pub kind: u16,
    /// Its place.
    pub place: u8,
    /// Whether the board was given and not drawn.
    pub given: bool,
    /// Whether it is still there.
    pub here: bool,
}

/// Episodes one after the other.
pub struct Session<'g> {
    start: State<'g>,
    info: &'static EpisodeInfo,
    boards: Boards,
    state: State<'g>,
    pieces: Vec<Piece>,
    accepted: [u64; 64],
    /// Attempts of this episode that count.
    pub attempts: u64,
    /// Accepted ones of them.
    pub moves: u64,
    /// Episodes begun.
    pub episodes: u64,
    finish: Finish,
}

impl<'g> Session<'g> {
    /// Begins with the first episode.
    ///
    /// # Errors
    /// When there is no board, for people.
    pub fn new(
        start: &(dyn AnyState<'g> + 'g),
        info: &'static EpisodeInfo,
        boards: Boards,
    ) -> Result<Session<'g>, String> {
        let mut session = Session {
            start: start.fork(),
            info,
            boards,
            state: start.fork(),
            pieces: Vec::new(),
            accepted: [0; 64],
            attempts: 0,
            moves: 0,
            episodes: 0,
            finish: Finish::Playing,
        };
        session.next_episode()?;
        Ok(session)
    }

    /// The name of the rules.
    pub fn name(&self) -> &'static str {
        self.start.info().name
    }

    /// What is known of the game.
    pub fn info(&self) -> &'static EpisodeInfo {
        self.info
    }

    /// The source of boards.
    pub fn boards(&mut self) -> &mut Boards {
        &mut self.boards
    }

    /// The pieces of the board, removed ones too.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How far the episode is.
    pub fn finish(&self) -> Finish {
        self.finish
    }

    /// Begins the next episode.
    ///
    /// # Errors
    /// When there is no board, for people.
    pub fn next_episode(&mut self) -> Result<(), String> {
        let given = self.boards.given();
        let named = self.boards.are_named();
        let mut board = Board::EMPTY;
        self.boards.draw(&mut board)?;
        self.pieces.clear();
        match given {
            Some(list) => self
                .pieces
                .extend(list.iter().enumerate().map(|(index, piece)| Piece {
                    id: piece.id,
                    unit: if self.info.crowded {
                        index as u8
                    } else {
                        piece.place
                    },
                    kind: piece.kind,
                    place: piece.place,
                    given: named,
                    here: true,
                })),
            None => self
                .pieces
                .extend(bits(board.present).enumerate().map(|(id, unit)| Piece {
                    id: id as i32,
                    unit: unit as u8,
                    kind: board.kinds[unit],
                    place: if self.info.crowded {
                        board.places[unit]
                    } else {
                        unit as u8
                    },
                    given: false,
                    here: true,
                })),
        }
        let state = self.start.begin(&board);
        self.state = state.ok_or("the rules have no such board")?;
        self.attempts = 0;
        self.moves = 0;
        self.episodes += 1;
        self.look();
        Ok(())
    }

    /// Takes note of what is accepted now.
    fn look(&mut self) {
        self.finish = match self.state.turn() {
            Turn::Over => match self.state.outcome().map(|outcome| outcome.reason) {
                Some(Reason::Win) => Finish::Cleared,
                _ => Finish::Stalemate,
            },
            _ => Finish::Playing,
        };
        for target in 0..self.info.targets.min(64) {
            self.accepted[target] = match self.finish {
                Finish::Playing => self.state.accepted(target),
                _ => 0,
            };
        }
    }

    /// The targets that accept a piece now, a bit each.
    pub fn targets(&self, piece: &Piece) -> u64 {
        let accepts = |target: &usize| self.accepted[*target] >> (piece.unit & 63) & 1 == 1;
        let all = 0..self.info.targets.min(64);
        all.filter(accepts).fold(0, |set, target| set | 1 << target)
    }

    /// The row, its counter and those of its atoms.
    pub fn counters(&self) -> Vec<i64> {
        self.state.counters()
    }

    /// Tries to bring a piece to a target; nothing else happens where it is not accepted.
    pub fn attempt(&mut self, id: i32, target: usize) -> Code {
        if self.finish != Finish::Playing {
            return Code::NoGame;
        }
        match self.piece_of(id) {
            Some(index) => self.attempt_piece(index, target),
            None => Code::NoPiece,
        }
    }

    /// Tries to bring the piece of a place to a target.
    pub fn attempt_place(&mut self, place: usize, target: usize) -> Code {
        if self.finish != Finish::Playing {
            return Code::NoGame;
        }
        match self.only_piece(place) {
            Ok(index) => self.attempt_piece(index, target),
            Err(code) => code,
        }
    }

    /// The only piece of a place, by its number in [`Session::pieces`].
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn only_piece(&self, place: usize) -> Result<usize, Code> {
        let here = |piece: &Piece| piece.here && usize::from(piece.place) == place;
        let mut found = (0..self.pieces.len()).filter(|&index| here(&self.pieces[index]));
        match (found.next(), found.next()) {
            (None, _) => Err(Code::EmptyCell),
            (Some(index), None) => Ok(index),
            _ => Err(Code::SeveralPieces),
        }
    }

    /// The piece with this number for players, by its number in [`Session::pieces`].
    pub fn piece_of(&self, id: i32) -> Option<usize> {
        let named = |piece: &Piece| piece.here && piece.id == id;
        self.pieces.iter().position(named)
    }

    /// Tries to bring a piece, by its number in [`Session::pieces`], to a target; without a target it is only asked whether
    /// it can go anywhere, which counts too.
    pub fn attempt_index(&mut self, index: usize, target: Option<usize>) -> Code {
        if self.finish != Finish::Playing {
            return Code::NoGame;
        }
        match (self.pieces.get(index), target) {
            (Some(piece), None) if piece.here => {
                let movable = self.targets(piece) != 0;
                self.attempts += 1;
                match movable {
                    true => Code::Accept,
                    false => Code::Immovable,
                }
            }
            (Some(piece), Some(target)) if piece.here => self.attempt_piece(index, target),
            _ => Code::NoPiece,
        }
    }

    /// Asks whether a piece can go anywhere; it counts as an attempt.
    pub fn pick(&mut self, id: i32) -> Code {
        match self.piece_of(id) {
            Some(index) => self.attempt_index(index, None),
            None if self.finish != Finish::Playing => Code::NoGame,
            None => Code::NoPiece,
        }
    }

    fn attempt_piece(&mut self, index: usize, target: usize) -> Code {
        let piece = self.pieces[index];
        let targets = self.targets(&piece);
        self.attempts += 1;
        if targets == 0 {
            return Code::Immovable;
        }
        if targets >> (target & 63) & 1 == 0 {
            return Code::Deny;
        }
        let Some(code) = self.state.attempt(target, piece.unit.into()) else {
            return Code::Deny;
        };
        self.state.play(code, None);
        self.pieces[index].here = false;
        self.moves += 1;
        self.look();
        Code::Accept
    }
}
